// SPDX-License-Identifier: Apache-2.0
// A state taken apart into named numbers, texts and arrays: what a checkpoint stores and what a state's hash is made
// of.  Arrays are referred to, not copied: a snapshot of a state lives no longer than that state.
//
//   Snapshot snapshot;
//   snapshot.add("time", state.time);
//   snapshot.add("phi", state.phi);
//
//   SnapshotReader read(snapshot);      // gathers all that is missing or of another kind
//   read("time", state.time);
//   read("phi", state.phi);
//   if (!read.errors().empty()) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "grid/field.h"

namespace spindrift {

class Snapshot {
  public:
    enum class Type { int32, int64, float32, float64, text };
    struct Item {
        Type type;
        std::vector<std::size_t> shape;  // none: a single value
        std::span<const std::byte> bytes;
        std::shared_ptr<const void> owner{};  // of the bytes, where the snapshot itself keeps them
    };

    void add(const std::string& name, double value);
    void add(const std::string& name, std::int64_t value);
    void add(const std::string& name, const std::string& value);
    // As NAME/tiles, the number of a tile set "tiles/0", "tiles/1", …, NAME/background and NAME/values.  Sets that
    // repeat also have "tile_period/0", …
    template <int Dim>
    void add(const std::string& name, const Field<float, Dim>& field);
    // As NAME/x, NAME/y, NAME/z.
    template <int Dim>
    void add(const std::string& name, const FaceField<Dim>& faces);

    // A list of numbers, of which the snapshot keeps a copy.
    void add(const std::string& name, std::span<const float> values);
    void add(const std::string& name, std::span<const double> values);
    void add(const std::string& name, std::span<const std::int64_t> values);

    void add_item(const std::string& name, Item item);
    // All items of another snapshot as FOLDER/NAME; and back.
    void add_folder(const std::string& folder, const Snapshot& other);
    Snapshot folder(const std::string& folder) const;

    const std::map<std::string, Item>& items() const { return items_; }

    // Of names, kinds, shapes and bits; the same on any number of threads.
    Hash128 hash() const;

  private:
    std::map<std::string, Item> items_;
    std::map<const void*, std::int64_t> tile_sets_;
};

std::size_t size_of(Snapshot::Type type);

class SnapshotReader {
  public:
    explicit SnapshotReader(const Snapshot& snapshot) : snapshot_(snapshot) {}

    void operator()(const std::string& name, double& value);
    void operator()(const std::string& name, std::int64_t& value);
    void operator()(const std::string& name, std::string& value);
    void operator()(const std::string& name, std::vector<float>& values);
    void operator()(const std::string& name, std::vector<double>& values);
    void operator()(const std::string& name, std::vector<std::int64_t>& values);
    template <int Dim>
    void operator()(const std::string& name, Field<float, Dim>& field);
    template <int Dim>
    void operator()(const std::string& name, FaceField<Dim>& faces);

    bool has(const std::string& name) const { return snapshot_.items().contains(name); }

    const Errors& errors() const { return errors_; }

  private:
    template <class T>
    void read_list(const std::string& name, Snapshot::Type type, std::vector<T>& values);
    const Snapshot::Item* find(const std::string& name, Snapshot::Type type, std::size_t rank);
    template <int Dim>
    TilesPtr<Dim> tiles(std::int64_t number);

    const Snapshot& snapshot_;
    Errors errors_;
    std::map<std::int64_t, std::shared_ptr<const void>> tile_sets_;  // those read so far: fields share them
};

}  // namespace spindrift
