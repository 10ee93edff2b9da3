# For fish; the words are the program's own.
schedfarm completion fish | source
