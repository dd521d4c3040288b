// SPDX-License-Identifier: Apache-2.0
#include "scene/setting_paths.h"

#include <initializer_list>

#include "scene/describe.h"

namespace spindrift {
namespace {

struct Found {
    std::vector<SettingPath> paths;
    std::vector<std::vector<std::string>> exclusive;
};

class PathVisitor {
  public:
    static constexpr bool kReads = false;
    PathVisitor(std::string table, bool in_list, Found& found)
        : table_(std::move(table)), in_list_(in_list), found_(found) {}

    template <class T>
    void operator()(std::string_view name, T&, const Setting&) {
        add(name);
    }
    void word(std::string_view name, std::string&, const std::vector<std::string>&, const Setting&) { add(name); }
    void version(std::string_view name, int&, const Setting&) { add(name); }
    void not_yet(std::string_view, std::string_view) {}
    void renamed(std::string_view, std::string_view) {}

    template <class S>
    void table(std::string_view name, S& structure, const Setting&) {
        add(name);
        PathVisitor inner(inner_name(name), false, found_);
        describe(inner, structure);
    }
    template <class S>
    void list(std::string_view name, std::vector<S>&, const Setting&) {
        add(name);
        S one;
        PathVisitor inner(inner_name(name), true, found_);
        describe(inner, one);
    }
    template <class... S>
    void one_of(std::string_view name, std::variant<S...>&, const Setting&) {
        add(name);
        (alternative(S{}), ...);
    }

    void exactly_one(std::initializer_list<std::string_view> names) { exclusive(names); }
    void at_most_one(std::initializer_list<std::string_view> names) { exclusive(names); }

  private:
    void add(std::string_view name) { found_.paths.push_back({table_, std::string(name), in_list_}); }
    std::string inner_name(std::string_view name) const {
        return table_.empty() ? std::string(name) : table_ + "." + std::string(name);
    }
    template <class S>
    void alternative(S structure) {
        describe(*this, structure);
    }
    void exclusive(std::initializer_list<std::string_view> names) {
        std::vector<std::string> group;
        for (const std::string_view name : names) group.push_back(inner_name(name));
        found_.exclusive.push_back(std::move(group));
    }

    std::string table_;
    bool in_list_;
    Found& found_;
};

const Found& found() {
    static const Found all = [] {
        Found f;
        SceneDescription scene;
        PathVisitor visit("", false, f);
        describe(visit, scene);
        return f;
    }();
    return all;
}

}  // namespace

const std::vector<SettingPath>& setting_paths() { return found().paths; }
const std::vector<std::vector<std::string>>& exclusive_settings() { return found().exclusive; }

}  // namespace spindrift
