// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <memory>
#include <thread>

#include "base/check.h"

#if SPINDRIFT_THREADS_STD
#include <atomic>
#include <exception>
#include <mutex>
#else
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace spindrift {
namespace {

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

#if SPINDRIFT_THREADS_STD

// Plain threads, made anew for each loop: for the thread sanitizer, which cannot see into the packaged TBB.
int threads_in_force = cores();
thread_local bool inside_loop = false;

void run(std::size_t count, void* context, void (*call)(void*, std::size_t)) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto work = [&] {
        inside_loop = true;
        try {
            for (std::size_t block; (block = next.fetch_add(1)) < count;) call(context, block);
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            next.store(count);
        }
        inside_loop = false;
    };
    // A loop inside a loop runs where it stands.
    if (inside_loop) {
        for (std::size_t block = 0; block < count; ++block) call(context, block);
        return;
    }
    std::vector<std::thread> helpers(std::min(static_cast<std::size_t>(threads_in_force), count) - 1);
    for (std::thread& t : helpers) t = std::thread(work);
    work();
    for (std::thread& t : helpers) t.join();
    if (failure) std::rethrow_exception(failure);
}

void start(int count) { threads_in_force = count; }
int in_force() { return threads_in_force; }

#else

// The arena holds exactly the threads asked for; the control lets that be more than there are cores.
struct Pool {
    explicit Pool(int count)
        : allowed(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)), arena(count) {}
    tbb::global_control allowed;
    tbb::task_arena arena;
};

std::unique_ptr<Pool>& pool() {
    static auto instance = std::make_unique<Pool>(cores());
    return instance;
}

void run(std::size_t count, void* context, void (*call)(void*, std::size_t)) {
    pool()->arena.execute([&] {
        // Isolated: a thread that waits for a loop inside a loop does not begin another block of the outer one.
        tbb::this_task_arena::isolate([&] {
            tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1), [&](const auto& range) {
                for (std::size_t block = range.begin(); block != range.end(); ++block) call(context, block);
            });
        });
    });
}

void start(int count) {
    pool().reset();
    pool() = std::make_unique<Pool>(count);
}
int in_force() { return pool()->arena.max_concurrency(); }

#endif

}  // namespace

int set_thread_count(int count) {
    CHECK(count >= 0, "set_thread_count: {} threads were asked for; 0 means one per core", count);
    const int wanted = count == 0 ? cores() : count;
    if (wanted != in_force()) start(wanted);
    return in_force();
}

int thread_count() { return in_force(); }

void detail::run_blocks(std::size_t count, void* context, void (*call)(void*, std::size_t)) {
    if (count == 0) return;
    if (count == 1 || in_force() == 1) {
        for (std::size_t block = 0; block < count; ++block) call(context, block);
        return;
    }
    run(count, context, call);
}

}  // namespace spindrift
