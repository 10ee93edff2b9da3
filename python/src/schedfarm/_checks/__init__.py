"""What holds files against something: against the schema and themselves (`check`), and against each other (`diff`)."""
