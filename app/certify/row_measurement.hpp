// What the conclusions of one macro-run say of a row of the certificate. Pure.
#pragma once

#include "app/certify/campaign_conclusions.hpp"
#include "app/certify/certificate_row.hpp"
#include "app/certify/macro_run.hpp"

namespace schedfarm::app {

/// `cpu_seconds` stays 0.
MacroRun measure(const CertificateRow& row, const CampaignConclusions& conclusions);

/// Whether a cell has ended as its campaign has planned it.
bool is_planned_end(CellStatus status);

}  // namespace schedfarm::app
