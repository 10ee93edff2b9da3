#include "results_schema/schema.hpp"

namespace schedfarm::results_schema {

namespace {

AttributeSchema written(std::string name, std::string meaning, std::string example) {
    return {
        std::move(name),
        ColumnType::text,
        Presence::required,
        Origin::writer,
        std::move(meaning),
        std::move(example),
    };
}

AttributeSchema text(std::string name, std::string meaning, std::string example) {
    return {
        std::move(name),
        ColumnType::text,
        Presence::required,
        Origin::caller,
        std::move(meaning),
        std::move(example),
    };
}

AttributeSchema optional_text(std::string name, std::string meaning, std::string example) {
    AttributeSchema attribute = text(std::move(name), std::move(meaning), std::move(example));
    attribute.presence = Presence::optional;
    return attribute;
}

AttributeSchema integer(std::string name, std::string meaning, std::string example) {
    AttributeSchema attribute = text(std::move(name), std::move(meaning), std::move(example));
    attribute.type = ColumnType::integer;
    return attribute;
}

}  // namespace

const std::vector<AttributeSchema>& schema_attributes() {
    static const std::vector<AttributeSchema> attributes = {
        written("filetype", "what the file is; always the same text", filetype),
        written("schema_version", "major.minor of this schema that the file follows", "1.0"),
        written(
            "payload_hash", "SHA-256 (hex) of the payload, as SCHEMA.md defines it", "05ec5ae7..."
        ),
        written("hdf5_version", "HDF5 library that wrote the file", "1.10.8"),
        text("program_version", "version of the program", "0.1.0"),
        text("results_version", "raised whenever an equal campaign gives other numbers", "1"),
        text(
            "git_revision",
            "commit that the program was built from; empty when not known",
            "9039502"
        ),
        text("git_dirty", "1 if the source differed from that commit, else 0", "0"),
        text("compiler", "compiler and its version", "GNU 12.2.0"),
        text("compiler_flags", "build type and code generation flags", "-O3 -ffp-contract=off"),
        text("mpi_version", "MPI library of the run; empty when none was used", "Open MPI 4.1.4"),
        text("host", "machine of the master", "node017"),
        text("slurm_job", "Slurm job of the run; empty outside Slurm", "481516"),
        text(
            "campaign",
            "the campaign file as it was read, with what it includes",
            "campaign_format: 1 ..."
        ),
        text("campaign_name", "name of the campaign", "Table 1"),
        text("campaign_hash", "SHA-256 (hex) of the campaign's text", "1f0e3dad..."),
        text("plan_hash", "SHA-256 (hex) of cells, targets, caps and seed", "8f14e45f..."),
        text(
            "effective_configuration",
            "the campaign with every default filled in, YAML",
            "seed: 2001 ..."
        ),
        text("seed", "seed of the campaign, decimal", "2001"),
        integer("ranks", "ranks of the farm, the master included", "9"),
        text("started", "begin of the run, UTC, ISO 8601", "2026-03-01T08:00:00Z"),
        text("finished", "end of the run, UTC, ISO 8601", "2026-03-01T08:01:12Z"),
        optional_text(
            "time_unit",
            "what `time` is in units of columns: s where the times of every workload are seconds, "
            "else the campaign's words, or time units",
            "time units"
        ),
        optional_text("report_title", "title of the report", "Capacity loss"),
        optional_text("report_source", "where the reference values come from", "Paper, Table 1"),
        optional_text("report_rows", "factors that make the report's rows, one per line", "policy"),
        optional_text(
            "report_metrics", "metrics that the report shows, one per line", "capacity_loss"
        ),
        optional_text(
            "report_intervals",
            "how the report shows intervals: plus_minus or bounds; empty: plus_minus",
            "bounds"
        ),
        optional_text(
            "report_figures",
            "figures of the report, one per line: options of `schedfarm plot`, separated by tabs; "
            "empty: what the factors suggest",
            "--kind=curve --by=policy"
        ),
    };
    return attributes;
}

}  // namespace schedfarm::results_schema
