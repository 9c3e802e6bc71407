// What an adoption and a copy have made, row by row, and a source with something of each kind to tell.
#pragma once

#include <string>

#include "tests/adopt/diego.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {

// Everything but the times at which it was done.
inline std::string AdoptedRows(const std::string& url) {
  return Psql(url,
              "SELECT current, target FROM versions; SELECT version, name, checksum FROM migrations ORDER BY 1; "
              "SELECT fingerprint, phase, checkpoint, apps, instances, domains, tasks FROM legacy.adoption; "
              "SELECT * FROM legacy.desired_lrps ORDER BY 1; SELECT * FROM legacy.actual_lrps ORDER BY 1, 2, 3; "
              "SELECT * FROM legacy.domains ORDER BY 1; SELECT * FROM legacy.left_out ORDER BY 2, 3, 4");
}

inline std::string CopiedRows(const std::string& url) {
  return Psql(url,
              "SELECT last_value FROM incarnations; SELECT * FROM definitions ORDER BY 1, 2, 3; "
              "SELECT * FROM desired_lrps ORDER BY 1; SELECT * FROM actual_lrps ORDER BY 1; "
              "SELECT * FROM domains ORDER BY 1; SELECT * FROM legacy.left_out ORDER BY 2, 3, 4");
}

inline void AddFindings(const Diego& diego) {
  // A row of each kind of finding, and one that is taken over without an instance.
  Psql(diego.url(),
       "UPDATE desired_lrps SET run_info = '02AAAA' WHERE process_guid = (SELECT min(process_guid) FROM "
       "desired_lrps); UPDATE actual_lrps SET state = 'MOVING' WHERE process_guid = (SELECT "
       "max(process_guid) FROM actual_lrps) AND instance_index = 1; "
       "INSERT INTO actual_lrps (process_guid, instance_index, domain, state, net_info, "
       "modification_tag_epoch) VALUES ('orphan', 0, 'cf-apps', 'UNCLAIMED', '', 'e')");
}

}  // namespace baton::testing
