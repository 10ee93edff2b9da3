// What the conclusions of one macro-run say of a row of the certificate. Pure.
#pragma once

#include "campaigns/certify/campaign_conclusions.hpp"
#include "campaigns/certify/certificate_row.hpp"
#include "campaigns/certify/macro_run.hpp"

namespace schedfarm::campaigns {

/// `cpu_seconds` stays 0.
MacroRun measure(const CertificateRow& row, const CampaignConclusions& conclusions);

/// Whether a cell has ended as its campaign has planned it.
bool is_planned_end(CellStatus status);

}  // namespace schedfarm::campaigns
