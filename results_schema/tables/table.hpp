// A table of results in memory: typed columns with unit and meaning. Everything that a result file
// holds is a table, so that writing, reading, checking, hashing and printing are written once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "results_schema/texts.hpp"

namespace schedfarm::results_schema {

using ColumnData =
    std::variant<std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>, Texts>;

struct Column {
    std::string name;
    std::string unit;     ///< "1" for dimensionless, "time" for the workload's time unit
    std::string meaning;  ///< one sentence, with the formula where there is one
    bool hashed = true;   ///< part of the payload
    ColumnData data;

    std::size_t size() const;
};

struct Table {
    std::string name;  ///< path in the file: "cells", "replications"
    std::string meaning;
    std::vector<Column> columns;  ///< all of one length

    std::size_t rows() const;
    const Column* find(std::string_view column) const;
    const Column& at(std::string_view column) const;  ///< throws when absent
};

/// Everything a result file holds beside its tables; text, integers and reals by name.
struct Attribute {
    std::string name;
    std::variant<std::string, std::int64_t, double> value;
    std::string meaning;
};

struct ResultFile {
    std::vector<Attribute> attributes;  ///< of the root group
    std::vector<Table> tables;

    const Table* find(std::string_view table) const;
    const Attribute* attribute(std::string_view name) const;
};

}  // namespace schedfarm::results_schema
