// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: the first one asks to stop, the second leaves at once.  Either is safe: files that have their name are whole.
#pragma once

namespace spindrift::cli {

// From now on SIGINT and SIGTERM are requests.
void catch_stop_signals();
bool stop_was_asked();
// As a signal would.
void ask_to_stop();

}  // namespace spindrift::cli
