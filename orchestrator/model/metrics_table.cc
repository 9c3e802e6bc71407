#include "orchestrator/model/metrics_table.h"

namespace baton {
namespace {

constexpr Metric kMetrics[] = {
    {"baton_build_info", MetricKind::kGauge, "version,schema",
     "1 for the version of this program and of the data that it is built for"},
    {"baton_leading", MetricKind::kGauge, "", "1 while this batond leads"},
    {"baton_lease_renewal_seconds", MetricKind::kHistogram, "",
     "Renewals of the leader's lease, from asking to the answer"},
    {"baton_serving_state", MetricKind::kGauge, "state", "1 for the state that this batond is in"},
    {"baton_migration_rows_done", MetricKind::kGauge, "", "Rows that the last migration has copied"},
    {"baton_migration_rows_left", MetricKind::kGauge, "", "Rows that it still has to copy"},
    {"baton_call_seconds", MetricKind::kHistogram, "call", "Calls that change something, from arrival to commit"},
    {"baton_call_errors_total", MetricKind::kCounter, "call", "Such calls that were refused or failed"},
    {"baton_calls_waiting", MetricKind::kGauge, "for",
     "Calls that wait for a writer: what drives rolls, and callers' writes"},
    {"baton_calls_refused_total", MetricKind::kCounter, "why", "Calls that were refused as too many wait, or too long"},
    {"baton_api_calls_total", MetricKind::kCounter, "api,method",
     "Calls of the API, in the version that the caller asked"},
    {"baton_rolls_open", MetricKind::kGauge, "", "Rolls under way, paused or held, that this leader drives"},
    {"baton_rolls", MetricKind::kGauge, "state", "Open rolls, with each convergence pass"},
    {"baton_instances", MetricKind::kGauge, "state,presence", "Instances, each 30 s"},
    {"baton_slots", MetricKind::kGauge, "served", "Slots of all apps; served: an instance takes requests. Each 30 s"},
    {"baton_cells", MetricKind::kGauge, "state", "Cells, with each convergence pass"},
    {"baton_routes_unserved", MetricKind::kGauge, "",
     "Routes of apps that are to have instances which no instance serves, each 30 s"},
    {"baton_rolls_finished_total", MetricKind::kCounter, "state", "Rolls that ended, by how"},
    {"baton_roll_seconds", MetricKind::kLongHistogram, "state", "How long they were open"},
    {"baton_start_seconds", MetricKind::kLongHistogram, "",
     "Starts of instances, from the claim until the cell said that it runs"},
    {"baton_drain_seconds", MetricKind::kLongHistogram, "",
     "Drains, from leaving the routes until the cell was told to stop it"},
    {"baton_crashes_total", MetricKind::kCounter, "", "Crashes of instances"},
    {"baton_plan_steps_total", MetricKind::kCounter, "", "Steps that the planner took"},
    {"baton_placement_errors_total", MetricKind::kCounter, "", "Instances for which no cell was found"},
    {"baton_stops_overdue_total", MetricKind::kCounter, "", "Stops that a cell did not report in time"},
    {"baton_cell_reports_total", MetricKind::kCounter, "", "Reports of cells"},
    {"baton_cells_silent_total", MetricKind::kCounter, "", "Cells whose lease ended"},
    {"baton_cells_lost_total", MetricKind::kCounter, "", "Cells that were declared missing"},
    {"baton_cells_waited_out", MetricKind::kGauge, "", "Cells that are silent and not taken for lost"},
    {"baton_cells_held_off_total", MetricKind::kCounter, "", "Cells that were given nothing new for a while"},
    {"baton_route_endpoints", MetricKind::kGauge, "", "Endpoints in the route table"},
    {"baton_convergence_pass_seconds", MetricKind::kHistogram, "pass", "Convergence passes"},
    {"baton_convergence_found", MetricKind::kGauge, "category", "What the last pass that looked for it has found"},
    {"baton_convergence_found_total", MetricKind::kCounter, "category", "The same, of all passes"},
    {"baton_convergence_failed_total", MetricKind::kCounter, "", "Convergence passes that failed"},
    {"baton_events_told_total", MetricKind::kCounter, "", "Events that became settled"},
    {"baton_events_held_up_seconds", MetricKind::kGauge, "", "How long an open transaction has held up the events"},
    {"baton_event_subscribers", MetricKind::kGauge, "", "Subscribers of events"},
    {"baton_event_subscribers_cut_off_total", MetricKind::kCounter, "", "Subscribers that read too slowly"},
    {"baton_streams_cut_off_total", MetricKind::kCounter, "", "Streams whose caller read nothing for 30 s"},
    {"baton_key_rotation_unfinished", MetricKind::kGauge, "", "1 while not every blob is as the key file says"},
    {"baton_key_rotation_rows_left", MetricKind::kGauge, "", "Rows that the rotation has not looked at yet"},
    {"baton_blobs_quarantined", MetricKind::kGauge, "", "Blobs that the rotation could not open"},
    {"baton_upgrade_state", MetricKind::kGauge, "state", "1 for the state that the online upgrade is in"},
    {"baton_upgrade_shards_pending", MetricKind::kGauge, "", "Shards that are not ready in this state of it"},
    {"baton_upgrade_rows_left", MetricKind::kGauge, "", "Desired and actual LRPs that it still has to compare"},
    {"baton_upgrade_write_stop_seconds", MetricKind::kGauge, "", "How long writes stopped for the last switch"},
    {"baton_definitions_collected_total", MetricKind::kCounter, "", "Definitions that nothing needed any more"},
};

}  // namespace

std::span<const Metric> MetricsTable() { return kMetrics; }

}  // namespace baton
