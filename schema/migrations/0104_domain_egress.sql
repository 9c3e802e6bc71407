-- Schema 2.4: operators decide per domain what becomes of apps whose egress rules no cell enforces.

-- '*' is every domain that is not named. Without a row of its own or of '*', a domain refuses.
CREATE TABLE domain_egress (
  domain     text COLLATE "C" PRIMARY KEY CHECK (length(domain) BETWEEN 1 AND 255),
  unenforced text NOT NULL CHECK (unenforced IN ('refuse', 'warn'))
);

-- @loses SELECT 'it is decided of domain ' || domain || ' what becomes of egress rules that no cell enforces: ' || unenforced || ' (baton domain egress)' FROM domain_egress ORDER BY domain

-- @down-contract
DROP TABLE domain_egress;
