// SPDX-License-Identifier: Apache-2.0
#include "base/profile.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace spindrift {

constinit thread_local Profile* detail::current_profile = nullptr;

Profile::Profile() : stages_(1) {}

int Profile::child(int parent, std::string_view name) {
    for (const int c : at(parent).children)
        if (at(c).name == name) return c;
    const int added = static_cast<int>(stages_.size());
    stages_.push_back({.name = std::string(name), .parent = parent});
    at(parent).children.push_back(added);
    return added;
}

void Profile::enter(std::string_view name) {
    open_ = child(open_, name);
    ++at(open_).calls;
    at(open_).began = Clock::now();
}

void Profile::leave() noexcept {
    Stage& stage = at(open_);
    stage.time += Clock::now() - stage.began;
    open_ = stage.parent;
}

std::vector<Profile::Row> Profile::rows() const {
    // Stages under way count with their time so far, or their children would have more time than they have.
    std::vector<Clock::duration> time;
    for (const Stage& stage : stages_) time.push_back(stage.time);
    const auto now = Clock::now();
    for (int s = open_; s != 0; s = at(s).parent) time[static_cast<std::size_t>(s)] += now - at(s).began;
    const auto seconds = [&](int s) {
        return std::chrono::duration<double>(time[static_cast<std::size_t>(s)]).count();
    };

    // Walk the tree with a stack of its own, a stage before its children.
    std::vector<Row> out;
    std::vector<std::pair<int, int>> ahead{{0, -1}};  // stage, depth
    while (!ahead.empty()) {
        const auto [s, depth] = ahead.back();
        ahead.pop_back();
        const Stage& stage = at(s);
        double self = seconds(s);
        for (const int c : stage.children) self -= seconds(c);
        if (s != 0) out.push_back({stage.name, depth, stage.calls, seconds(s), self, stage.bytes});
        for (auto c = stage.children.rbegin(); c != stage.children.rend(); ++c) ahead.emplace_back(*c, depth + 1);
    }
    return out;
}

std::string Profile::text() const {
    const std::vector<Row> all = rows();
    std::size_t width = 5;
    double total = 0;
    for (const Row& row : all) {
        width = std::max(width, row.name.size() + 2 * static_cast<std::size_t>(row.depth));
        if (row.depth == 0) total += row.seconds;
    }

    std::string out = fmt::format("{:<{}}  {:>9}  {:>10}  {:>10}  {:>6}  {:>8}\n", "stage", width, "calls", "seconds",
                                  "self", "share", "GB/s");
    for (const Row& row : all) {
        const std::string name = std::string(2 * static_cast<std::size_t>(row.depth), ' ') + row.name;
        const double share = total > 0 ? 100 * row.seconds / total : 0;
        out += fmt::format("{:<{}}  {:>9}  {:>10.4f}  {:>10.4f}  {:>5.1f}%", name, width, row.calls, row.seconds,
                           row.self_seconds, share);
        if (row.bytes > 0 && row.seconds > 0)
            out += fmt::format("  {:>8.2f}", 1e-9 * static_cast<double>(row.bytes) / row.seconds);
        out += '\n';
    }
    return out;
}

void Profile::add(const Profile& other) {
    CHECK(&other != this && other.open_ == 0,
          "Profile::add: the added profile must be another one, with no stage open");
    add_below(0, other, 0);
}

void Profile::add_below(int stage, const Profile& other, int other_stage) {
    for (const int c : other.at(other_stage).children) {
        const Stage& from = other.at(c);
        const int to = child(stage, from.name);
        at(to).calls += from.calls;
        at(to).bytes += from.bytes;
        at(to).time += from.time;
        add_below(to, other, c);
    }
}

void Profile::clear() {
    CHECK(open_ == 0, "Profile::clear: stage '{}' is open", at(open_).name);
    stages_.assign(1, {});
}

CurrentProfile::CurrentProfile(Profile& profile)
    : before_(std::exchange(detail::current_profile, &profile)), open_(profile.open_) {}

CurrentProfile::~CurrentProfile() {
    DCHECK(detail::current_profile->open_ == open_, "a stage outlives the time its profile was current");
    detail::current_profile = before_;
}

}  // namespace spindrift
