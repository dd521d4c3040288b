// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <hdf5.h>

#include "io/safe_file.h"

namespace spindrift {
namespace {

using std::filesystem::path;

// ——— The seal ———

constexpr std::size_t kUserBlock = 512;  // the smallest that HDF5 allows

struct Seal {
    std::array<char, 16> letters = {'S', 'p', 'i', 'n', 'd', 'r', 'i', 'f', 't', ' ', 's', 't', 'a', 't', 'e', '\n'};
    std::uint64_t version = 1;
    std::uint64_t length = 0;  // of what follows the user block
    std::uint64_t high = 0, low = 0;
    friend bool operator==(const Seal&, const Seal&) = default;
};
static_assert(sizeof(Seal) == 48);

// Of the bytes from the stream's place on.
Seal seal_of_rest(std::istream& is) {
    Hasher hasher;
    Seal seal;
    std::vector<char> chunk(std::size_t{1} << 20);
    while (is.read(chunk.data(), static_cast<std::streamsize>(chunk.size())), is.gcount() > 0) {
        hasher.add_bytes(std::as_bytes(std::span(chunk.data(), static_cast<std::size_t>(is.gcount()))));
        seal.length += static_cast<std::uint64_t>(is.gcount());
    }
    const Hash128 hash = hasher.digest128();
    seal.high = hash.high;
    seal.low = hash.low;
    return seal;
}

// 0, or the number of what went wrong.
int put_seal(const path& file) {
    errno = 0;
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(kUserBlock);
    const Seal seal = seal_of_rest(stream);
    std::array<char, kUserBlock> block{};
    std::memcpy(block.data(), &seal, sizeof(seal));
    stream.clear();
    stream.seekp(0).write(block.data(), block.size()).flush();
    return stream ? 0 : errno == 0 ? EIO : errno;
}

Result<void> check_seal(const path& file) {
    const auto damaged = [&](const char* what) {
        return Error{.what = what, .remedy = "go on from another checkpoint", .where = {.file = file.string()}};
    };
    if (std::filesystem::is_directory(file)) return file_error(file, "cannot be read", EISDIR);
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return file_error(file, "cannot be read", errno);
    Seal found{.letters = {}};
    if (!stream.read(reinterpret_cast<char*>(&found), sizeof(found)) || found.letters != Seal{}.letters)
        return damaged("is not a checkpoint, or its beginning is lost");
    if (found.version != Seal{}.version) return damaged("is a checkpoint in a format of another version");
    const auto size = static_cast<std::uint64_t>(stream.seekg(0, std::ios::end).tellg());
    if (size < kUserBlock + found.length) return damaged("is cut short");
    stream.seekg(kUserBlock);
    if (seal_of_rest(stream) != found) return damaged("was changed after it was written: its hash does not match");
    return {};
}

// ——— HDF5 ———

// What the library says went wrong, and the system's number for it if there was one.
struct Hdf5Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
    int error_number = 0;
};

[[noreturn]] void fail(const char* doing) {
    std::string innermost;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned depth, const H5E_error2_t* error, void* text) -> herr_t {
            if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
            return 0;
        },
        &innermost);
    Hdf5Failure failure(fmt::format("{}: {}", doing, innermost));
    constexpr std::string_view kErrno = "errno = ";
    if (const std::size_t at = innermost.find(kErrno); at != std::string::npos)
        failure.error_number = std::atoi(innermost.c_str() + at + kErrno.size());
    throw failure;
}

void succeed(herr_t status, const char* doing) {
    if (status < 0) fail(doing);
}

// An object of the library.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t), const char* doing) : id_(id), close_(close) {
        if (id < 0) fail(doing);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    void finish(const char* doing) { succeed(close_(std::exchange(id_, -1)), doing); }
    operator hid_t() const { return id_; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

// Errors come back to us and are not printed.
void quiet_once() {
    static const bool done = (H5dont_atexit(), H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), true);
    static_cast<void>(done);
}

Handle type_in_file(Snapshot::Type type) {
    const auto copy = [](hid_t id) { return Handle(H5Tcopy(id), H5Tclose, "type"); };
    switch (type) {
        case Snapshot::Type::int32: return copy(H5T_STD_I32LE);
        case Snapshot::Type::int64: return copy(H5T_STD_I64LE);
        case Snapshot::Type::float32: return copy(H5T_IEEE_F32LE);
        case Snapshot::Type::float64: return copy(H5T_IEEE_F64LE);
        case Snapshot::Type::text: break;
    }
    return copy(H5T_STD_U8LE);
}

// The groups that a name with slashes goes through.  Made one by one: those that HDF5 makes by itself store the time.
void make_groups(hid_t file, const std::string& name) {
    const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "creation");
    succeed(H5Pset_obj_track_times(creation, false), "creation");
    for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1)) {
        const std::string group = name.substr(0, at);
        if (H5Lexists(file, group.c_str(), H5P_DEFAULT) > 0) continue;
        Handle(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose, "group").finish("group");
    }
}

void write_item(hid_t file, const std::string& name, const Snapshot::Item& item) {
    std::vector<hsize_t> shape(item.shape.begin(), item.shape.end());
    const Handle space(
        shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
        H5Sclose, "shape");
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "creation");
    succeed(H5Pset_obj_track_times(creation, false), "creation");
    const Handle type = type_in_file(item.type);
    make_groups(file, name);
    Handle set(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose, "array");
    if (!item.bytes.empty()) succeed(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, item.bytes.data()), "values");
    set.finish("array");
}

void write_items(const path& partial, const Snapshot& snapshot) {
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "file");
    succeed(H5Pset_userblock(creation, kUserBlock), "user block");
    succeed(H5Pset_obj_track_times(creation, false), "file");
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file");
    succeed(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), "file version");
    Handle file(H5Fcreate(partial.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "file");
    for (const auto& [name, item] : snapshot.items()) write_item(file, name, item);
    succeed(H5Fflush(file, H5F_SCOPE_LOCAL), "file");
    file.finish("file");
}

Snapshot::Type type_of(hid_t type) {
    for (const auto known : {Snapshot::Type::int32, Snapshot::Type::int64, Snapshot::Type::float32,
                             Snapshot::Type::float64, Snapshot::Type::text})
        if (H5Tequal(type, type_in_file(known)) > 0) return known;
    throw Hdf5Failure("an array of a kind that checkpoints do not have");
}

Snapshot::Item read_item(hid_t file, const char* name) {
    const Handle set(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, name);
    const Handle type(H5Dget_type(set), H5Tclose, name);
    const Handle space(H5Dget_space(set), H5Sclose, name);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0) fail(name);
    std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
    if (rank > 0 && H5Sget_simple_extent_dims(space, shape.data(), nullptr) < 0) fail(name);

    Snapshot::Item item{type_of(type), {shape.begin(), shape.end()}, {}};
    std::size_t bytes = size_of(item.type);
    for (const std::size_t n : item.shape) bytes *= n;
    auto buffer = std::make_shared<Buffer<std::byte>>(bytes);
    if (bytes > 0) succeed(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer->data()), name);
    item.bytes = {buffer->data(), bytes};
    item.owner = std::move(buffer);
    return item;
}

std::vector<std::string> array_names(hid_t file) {
    std::vector<std::string> names;
    succeed(H5Ovisit2(
                file, H5_INDEX_NAME, H5_ITER_INC,
                [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
                    if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(list)->push_back(name);
                    return 0;
                },
                &names, H5O_INFO_BASIC),
            "list of arrays");
    return names;
}

}  // namespace

Result<void> write_checkpoint(const path& file, const Snapshot& snapshot) {
    quiet_once();
    const path partial = partial_path(file);
    const auto give_up = [&](Error error) {
        std::error_code ignored;
        std::filesystem::remove(partial, ignored);
        return error;
    };
    try {
        write_items(partial, snapshot);
    } catch (const Hdf5Failure& failure) {
        if (failure.error_number != 0) return give_up(file_error(file, "cannot be written", failure.error_number));
        return give_up(
            {.what = fmt::format("cannot be written: {}", failure.what()), .where = {.file = file.string()}});
    }
    if (const int failure = put_seal(partial)) return give_up(file_error(file, "cannot be written", failure));
    return publish_file(partial, file);
}

Result<Snapshot> read_checkpoint(const path& file) {
    quiet_once();
    if (auto whole = check_seal(file); !whole) return std::move(whole).errors();
    try {
        const Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "file");
        Snapshot snapshot;
        for (const std::string& name : array_names(opened)) snapshot.add_item(name, read_item(opened, name.c_str()));
        return snapshot;
    } catch (const Hdf5Failure& failure) {
        return Error{.what = fmt::format("cannot be read: {}", failure.what()),
                     .remedy = "go on from another checkpoint",
                     .where = {.file = file.string()}};
    }
}

}  // namespace spindrift
