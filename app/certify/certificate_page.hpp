// A certificate for readers: tables for the terminal, and a page for the documentation. Pure
// functions of the rows and their results.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/certify/certificate_row.hpp"
#include "app/certify/judgement.hpp"
#include "app/report/wrapped_text.hpp"

namespace schedfarm::app {

/// Where a page comes from.
struct PageOrigin {
    std::string command;  ///< that generates the page anew
    std::string date;
    std::string program;  ///< name, version, revision, compiler
};

/// Tables for a terminal of `width` columns, one per campaign, negative controls last, and a
/// closing line. The same from any number of ranks. REQUIRES: one result per row, at least one.
std::string certificate_text(
    const std::vector<CertificateRow>& rows,
    const std::vector<RowResult>& results,
    std::size_t width = terminal_width
);

/// The Markdown page. REQUIRES: as above.
std::string certificate_markdown(
    const PageOrigin& origin,
    const std::vector<CertificateRow>& rows,
    const std::vector<RowResult>& results
);

}  // namespace schedfarm::app
