// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/verb.h"

#include <charconv>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace spindrift::cli {

Verb Verb::add_verb(const std::string& name, const std::string& sentence) const {
    return Verb(*app_->add_subcommand(name, sentence));
}

void Verb::add_required(const std::string& name, std::string& value, const std::string& what) const {
    app_->add_option(name, value, what)->required();
}
void Verb::add_text(const std::string& name, std::string& value, const std::string& what) const {
    app_->add_option(name, value, what);
}
void Verb::add_texts(const std::string& name, std::vector<std::string>& values, const std::string& what) const {
    app_->add_option(name, values, what);
}
void Verb::add_repeated(const std::string& name, const std::string& type, std::vector<std::string>& values,
                        const std::string& what) const {
    app_->add_option(name, values, what)->type_name(type)->expected(1)->take_all();
}
void Verb::add_settings(std::vector<std::string>& values, const std::string& what) const {
    add_repeated("--set", "PATH=VALUE", values, what);
}

void Verb::add_number(const std::string& name, int& value, int from, int to, const std::string& what) const {
    const auto check = [from, to](const std::string& text) {
        int number = 0;
        const char* end = text.data() + text.size();
        const auto [stop, fault] = std::from_chars(text.data(), end, number);
        const bool is_good = fault == std::errc() && stop == end && from <= number && number <= to;
        return is_good ? std::string() : fmt::format("'{}' is not a whole number from {} to {}", text, from, to);
    };
    app_->add_option(name, value, what)->check(check)->type_name("N");
}
void Verb::add_seconds(const std::string& name, double& value, const std::string& what) const {
    app_->add_option(name, value, what)->check(CLI::Range(0.0, 3600.0));
}
void Verb::add_flag(const std::string& name, bool& value, const std::string& what) const {
    app_->add_flag(name, value, what);
}

void Verb::when_chosen(std::function<void()> action) const { app_->callback(std::move(action)); }
bool Verb::is_chosen() const { return app_->parsed(); }

}  // namespace spindrift::cli
