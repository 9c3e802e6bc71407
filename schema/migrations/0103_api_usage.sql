-- Schema 2.3: who still calls which version of the API.

-- A row for each method that somebody calls. Callers beyond the newest thousand are counted together, as 'other': their
-- names are theirs to choose.
CREATE TABLE api_usage (
  api_version text COLLATE "C" NOT NULL CHECK (api_version ~ '^v[0-9]{1,3}$'),
  method      text COLLATE "C" NOT NULL CHECK (method ~ '^[A-Za-z]{1,100}[.][A-Za-z]{1,100}$'),  -- "DesiredLRPs.DesireLRP"
  caller      text COLLATE "C" NOT NULL CHECK (caller ~ '^[ -~]{1,100}$'),
  calls       bigint NOT NULL CHECK (calls > 0),
  first_at    timestamptz NOT NULL,
  last_at     timestamptz NOT NULL,
  PRIMARY KEY (api_version, method, caller),
  CONSTRAINT api_usage_first_before_last CHECK (first_at <= last_at)
);

-- @down-contract
DROP TABLE api_usage;
