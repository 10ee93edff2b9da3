"""What every result file of schema 2 has, as SCHEMA.md says it: columns with the kinds of numpy (`u`, `i`, `f`: 64 bits; `S`: text), which
come first in their tables, the tables that are never missing, and the attributes of the root that every writer gives."""

COLUMNS = {
    "cells":
        "cell:u label:S experiment:S policy:S workload:S clusters:S utilization:f replications_used:u "
        "replications_computed:u log_blocks:u status:S most_demanding:S replication_key:S resolved:S confidence:f "
        "interval:S log_variance_ratio:f",
    "factors": "cell:u factor:S label:S number:f",
    "replications": "cell:u replication:u fingerprint:u jobs:u",
    "estimates":
        "cell:u metric:S n:u mean:f standard_error:f lower:f upper:f confidence:f skewness:f method:S given_log_lower:f "
        "given_log_upper:f unit:S",
    "saturation": "cell:u rho_max:f lower:f upper:f standard_error:f n:u backlog:u exact:f method:S",
    "known_values": "cell:u metric:S label:S value:f is_exact:i source:S",
    "reference":
        "cell:u metric:S known_label:S column:S value:f rounding:f runs:u measured:f standard_error:f lower:f upper:f "
        "z:f verdict:S note:S",
    "made_metrics": "cell:u metric:S n:u mean:f lower:f upper:f confidence:f",
    "comparisons":
        "group:S first_cell:u second_cell:u metric:S n:u difference:f standard_error:f skewness:f lower:f upper:f "
        "confidence:f p_value:f adjusted_p:f width_reduction:f width_reduction_lower:f width_reduction_upper:f "
        "verdict:S",
    "selections": "group:S cell:u metric:S n:u mean:f indifference:f confidence:f procedure:S standing:S",
    "controlled_estimates":
        "cell:u metric:S controls:S n:u mean:f standard_error:f lower:f upper:f confidence:f r_squared:f loss_factor:f "
        "variance_reduction:f",
    "stability":
        "cell:u verdict:S growth:f growth_lower:f growth_upper:f half_ratio:f half_ratio_lower:f half_ratio_upper:f "
        "start_bias:f start_bias_lower:f start_bias_upper:f start_bias_allowed:f overflow_replication:i overflow_time:f "
        "overflow_jobs:u",
    "search_steps":
        "cell:u step:u first_replication:u replications:u utilization:f observed:f standard_error:f side:S "
        "reliability:f median:f lower:f upper:f",
    "placements": "cell:u rho_max:f lower:f upper:f fraction:f method:S pilot:i",
    "quantiles": "cell:u metric:S probability:f value:f lower:f upper:f confidence:f own_mean:f jobs:u",
    "sketches": "cell:u metric:S bucket:i lower:f upper:f count:u",
    "warm_up": "cell:u first_job:u jobs:u mean:f standard_error:f moving_average:f",
    "warm_up_checks": "cell:u replications:u warm_up_jobs:u mser_cut:u verdict:S",
    "utilization_series": "cell:u replication:u part:u begin:f end:f gross_utilization:f",
    "users": "cell:u user:i users:u jobs:u processor_time:f response_time:f wait:f bounded_slowdown:f",
    "logged_waits": "cell:u by:S group:S jobs:u logged:f simulated:f within:f rank_agreement:f",
    "job_classes": "cell:u class:u name:S",
    "quantity_expressions": "quantity:S expression:S",
    "claim_texts":
        "claim:S paper:S section:S printed:S value:S low:f high:f needs:S confidence:f expected:S note:S",
    "claim_places": "claim:S place:S expression:S",
    "certificates":
        "cell:u subject:S table:S scope:S where:S metric:S interval:S truth:f source:S column:S is:S at_least:f low:f "
        "high:f expect:S judged:f virtual_workers:u first_look:u procedure:S",
    "failures": "cell:u replication:u status:S message:S replay:S",
    "defects": "cell:i problem:S",
    "timings": "cell:u replication:u seconds:f rank:u run:u began:f",
    "farm": "rank:u host:S tasks:u busy:f idle:f dispatch:f io:f run:u",
    "jobs": "job:u submit:f start:f finish:f service:f processors:u estimate:f class:u user:u job_number:i offered:f",
    "processors": "job:u first:u last:u",
    "pieces": "job:u piece:u begin:f end:f first:u last:u",
}
# Of the tables that are judged from them (`_claims.py`); files from before 0.1.0 have them stored.
JUDGED = {
    "quantities": "cell:u quantity:S class:i n:u mean:f standard_error:f lower:f upper:f confidence:f gate:S",
    "claims":
        "claim:S paper:S section:S printed:S value:S rule:S needs:S places:u needed:u confidence:f verdict:S e_value:f expected:S "
        "note:S",
    "claim_values": "claim:S place:S n:u value:f standard_error:f lower:f upper:f confidence:f e_value:f side:S gate:S",
}
JOB_LOGS = ("jobs", "processors", "pieces")  # groups of logs of single replications
ALWAYS = ("cells", "factors", "replications", "estimates", "saturation", "known_values", "reference", "failures", "timings", "farm")
TEXT_ATTRIBUTES = ("filetype", "schema_version", "payload_hash", "program_version", "results_version", "git_revision", "host", "campaign", "campaign_name", "campaign_hash", "plan_hash", "effective_configuration", "seed", "started", "finished")
