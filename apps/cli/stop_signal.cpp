// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/stop_signal.h"

#include <csignal>
#include <string_view>

#include <unistd.h>

#include "apps/cli/common.h"

namespace spindrift::cli {
namespace {

volatile std::sig_atomic_t asked = 0;

// Only what a signal handler may do.
void on_signal(int) {
    if (asked != 0) ::_exit(kStopped);
    asked = 1;
    constexpr std::string_view kNote = "\nstopping after this step; once more to leave at once\n";
    static_cast<void>(!::write(STDERR_FILENO, kNote.data(), kNote.size()));
}

}  // namespace

void catch_stop_signals() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    // The terminal went away; a run started with nohup ignores that and goes on.
    struct sigaction before {};
    ::sigaction(SIGHUP, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);
    // A full disk and a reader that went away come back as errors of the write itself.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
}

bool stop_was_asked() { return asked != 0; }
void ask_to_stop() { asked = 1; }

}  // namespace spindrift::cli
