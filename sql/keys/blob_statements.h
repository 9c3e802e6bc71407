// Statements that are the same for every table with encrypted columns, written out from the one list of them.
#pragma once

#include <string>
#include <string_view>

#include "orchestrator/crypto/encrypted_columns.h"

namespace baton {

// `text` with what stands in braces put in for this table:
//   {table}          {keys}: its key's columns        {after}: a row of parameters, from $3 on, to compare them with
//   {keys_down}      the same, from the last to the first; {others}: how many of its blobs do not begin with $1
//   {bound}          what its blobs are bound to, as one text
//   {blobs}          its encrypted columns            {named_blobs}: each as ('name', column), for VALUES
//   {payloads}       the same, NULL where they have no payload; {bytes}: the sum of their lengths
//   {arrays}         a parameter for each blob, from $2 on; {new_names}: names for them; {sets}: of `t`, from `w`
std::string WriteOut(std::string_view text, const EncryptedTable& table);

}  // namespace baton
