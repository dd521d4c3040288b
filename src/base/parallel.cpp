// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <memory>
#include <thread>

#include "base/check.h"

#if SPINDRIFT_THREADS_STD
#include <atomic>
#include <condition_variable>
#include <cstdint>
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

// Plain threads that wait for loops: for the thread sanitizer, which cannot see into the packaged TBB.
thread_local bool inside_loop = false;

class Pool {
  public:
    explicit Pool(int count) {
        for (int n = 1; n < count; ++n) threads_.emplace_back([this] { wait_for_loops(); });
    }
    ~Pool() {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        changed_.notify_all();
        for (std::thread& t : threads_) t.join();
    }
    int count() const { return static_cast<int>(threads_.size()) + 1; }

    void run(std::size_t count, void* context, void (*call)(void*, std::size_t)) {
        {
            const std::lock_guard lock(mutex_);
            count_ = count;
            context_ = context;
            call_ = call;
            next_ = 0;
            failure_ = nullptr;
            busy_ = threads_.size();
            ++loop_;
        }
        changed_.notify_all();
        take_blocks();
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return busy_ == 0; });
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    void wait_for_loops() {
        for (std::uint64_t done = 0;;) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return stop_ || loop_ != done; });
                if (stop_) return;
                done = loop_;
            }
            take_blocks();
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0) changed_.notify_all();
        }
    }

    void take_blocks() {
        inside_loop = true;
        try {
            for (std::size_t block; (block = next_.fetch_add(1)) < count_;) call_(context_, block);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            next_ = count_;
        }
        inside_loop = false;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t loop_ = 0;
    std::size_t busy_ = 0;
    bool stop_ = false;
    std::size_t count_ = 0;
    void* context_ = nullptr;
    void (*call_)(void*, std::size_t) = nullptr;
    std::atomic<std::size_t> next_{0};
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

std::unique_ptr<Pool>& pool() {
    static auto instance = std::make_unique<Pool>(cores());
    return instance;
}

void run(std::size_t count, void* context, void (*call)(void*, std::size_t)) {
    // A loop inside a loop runs where it stands.
    if (inside_loop)
        for (std::size_t block = 0; block < count; ++block) call(context, block);
    else
        pool()->run(count, context, call);
}

void start(int count) {
    pool().reset();
    pool() = std::make_unique<Pool>(count);
}
int in_force() { return pool()->count(); }

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
