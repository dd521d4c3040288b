// SPDX-License-Identifier: Apache-2.0
// Where the time goes, by stage.  Stages nest as their scopes do, and build a tree:
//
//   Profile profile;
//   const CurrentProfile current(profile);   // for this thread, until the end of the block
//   { const ProfileScope scope("project"); … }
//   fmt::print("{}", profile.text());
//
// Only the thread that runs the step is measured, with its parallel loops inside a stage; a scope inside such a loop
// would catch one thread's share of it, and by chance.  With no current profile a scope costs a load and a branch.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spindrift {

class Profile {
  public:
    struct Row {
        std::string name;
        int depth;           // 0 for the outermost stages
        std::int64_t calls;  // those under way included
        double seconds;      // of stages under way: so far
        double self_seconds;
        std::int64_t bytes;  // as told by add_bytes
    };

    Profile();
    Profile(const Profile&) = delete;  // open scopes point here
    Profile& operator=(const Profile&) = delete;

    // The tree from the root on, children in the order they were first met.
    std::vector<Row> rows() const;

    // The rows as a table.
    std::string text() const;

    // Adds the counts of another profile, say of a frame to those of its run.
    void add(const Profile& other);

    // Forgets everything.  No stage may be open.
    void clear();

  private:
    friend class ProfileScope;
    friend class CurrentProfile;
    using Clock = std::chrono::steady_clock;

    struct Stage {
        std::string name{};
        int parent = -1;
        std::vector<int> children{};
        std::int64_t calls = 0;
        std::int64_t bytes = 0;
        Clock::duration time{};     // of finished calls
        Clock::time_point began{};  // of the call under way: at most one, as a like stage inside is its child
    };

    Stage& at(int stage) { return stages_[static_cast<std::size_t>(stage)]; }
    const Stage& at(int stage) const { return stages_[static_cast<std::size_t>(stage)]; }
    int child(int parent, std::string_view name);
    void enter(std::string_view name);
    void leave() noexcept;
    void add_below(int stage, const Profile& other, int other_stage);

    std::vector<Stage> stages_;  // the first is the root and has no time
    int open_ = 0;               // the innermost stage under way, or the root
};

namespace detail {
extern constinit thread_local Profile* current_profile;
}

// Makes a profile the current one of this thread, and at the end the one before it again.
class [[nodiscard]] CurrentProfile {
  public:
    explicit CurrentProfile(Profile& profile);
    ~CurrentProfile();
    CurrentProfile(const CurrentProfile&) = delete;
    CurrentProfile& operator=(const CurrentProfile&) = delete;

  private:
    Profile* before_;
    int open_;  // must be open again at the end: scopes are closed in the reverse order
};

class [[nodiscard]] ProfileScope {
  public:
    explicit ProfileScope(std::string_view name) : profile_(detail::current_profile) {
        if (profile_ != nullptr) profile_->enter(name);
    }
    ~ProfileScope() {
        if (profile_ != nullptr) profile_->leave();
    }
    ProfileScope(const ProfileScope&) = delete;
    ProfileScope& operator=(const ProfileScope&) = delete;

    // Memory that this stage reads and writes at least once, for its rate.
    void add_bytes(std::int64_t bytes) const {
        if (profile_ != nullptr) profile_->at(profile_->open_).bytes += bytes;
    }

  private:
    Profile* profile_;
};

}  // namespace spindrift
