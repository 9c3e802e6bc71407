// Statements that are the same for every table with encrypted columns, written out from the one list of them.
#pragma once

#include <string>
#include <string_view>

#include "schema/encrypted_columns.h"

namespace baton {

// `text` with what stands in braces put in for this table:
//   {table}          {keys}: its key's columns        {after}: a row of parameters, from $3 on, to compare them with
//   {bound}          what its blobs are bound to, as one text
//   {blobs}          its encrypted columns            {named_blobs}: each as ('name', column), for VALUES
//   {payloads}       the same, NULL where they have no payload; {bytes}: the sum of their lengths
//   {arrays}         a parameter for each of {keys}, then two for each blob: what it was and what it becomes
//   {old_and_new}    names for the latter             {sets}, {same_row}: of `t`, from `w`
std::string WriteOut(std::string_view text, const EncryptedTable& table);

}  // namespace baton
