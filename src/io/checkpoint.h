// SPDX-License-Identifier: Apache-2.0
// Snapshots as HDF5 files, lossless and readable from other programs (h5py: file["state/phi/values"]).
//
// Before HDF5's own bytes lie 512 of ours (a user block, which HDF5 provides for that): a seal with the length and the
// hash of all that follows.  A file that was cut short or changed is refused before HDF5 looks at it.  The same
// snapshot gives the same bytes; no times are stored.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "io/snapshot.h"

namespace spindrift {

// Written to another name and renamed: a file of this name is whole, or as it was before.
Result<void> write_checkpoint(const std::filesystem::path& file, const Snapshot& snapshot);

Result<Snapshot> read_checkpoint(const std::filesystem::path& file);

}  // namespace spindrift
