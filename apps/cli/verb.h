// SPDX-License-Identifier: Apache-2.0
// A verb of the command line, such as `run`, with its options: a thin front of CLI11, whose header takes about eight
// seconds to compile in every file that includes it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace spindrift::cli {

// Values must live until the command line has been parsed.  A name without dashes is an argument by position.
class Verb {
  public:
    explicit Verb(CLI::App& app) : app_(&app) {}

    Verb add_verb(const std::string& name, const std::string& sentence) const;

    void add_required(const std::string& name, std::string& value, const std::string& what) const;
    void add_text(const std::string& name, std::string& value, const std::string& what) const;
    void add_texts(const std::string& name, std::vector<std::string>& values, const std::string& what) const;
    // A word each time it is given, any number of times.
    void add_repeated(const std::string& name, const std::string& type, std::vector<std::string>& values,
                      const std::string& what) const;
    // --set PATH=VALUE, any number of times.
    void add_settings(std::vector<std::string>& values, const std::string& what) const;
    // Whole numbers from `from` to `to`.
    void add_number(const std::string& name, int& value, int from, int to, const std::string& what) const;
    // A duration in seconds, at most an hour.
    void add_seconds(const std::string& name, double& value, const std::string& what) const;
    void add_flag(const std::string& name, bool& value, const std::string& what) const;

    void when_chosen(std::function<void()> action) const;
    bool is_chosen() const;

  private:
    CLI::App* app_;
};

}  // namespace spindrift::cli
