// SPDX-License-Identifier: Apache-2.0
// Wrong input: the code that the program ends with, and what it says of scenes that cannot be read.
#include "tests/program.h"

namespace spindrift::testing {
namespace {

using Cli = CommandLine;

TEST_F(Cli, WrongInputEndsWithTwo) {
    const auto expect = [&](const std::vector<std::string>& arguments, const std::string& words) {
        const auto ended = spindrift(arguments);
        EXPECT_EQ(ended.code, 2) << ended.err;
        EXPECT_NE((ended.err).find(words), std::string::npos) << "should say '" << words << "':\n" << ended.err;
        EXPECT_TRUE(ended.out.empty()) << ended.out;
    };
    const std::string scene = small_scene();
    expect({"rnu", scene}, "did you mean 'run'?");
    expect({"run", scene, "--resum"}, "did you mean '--resume'?");
    expect({"run", scene, "--frames", "9-3"}, "--frames 9-3");
    expect({"run", scene, "--frames", "many"}, "--frames many");
    expect({"run", scene, "--frames", "1000001"}, "--frames 1000001");
    expect({"run", "dam-break", "--resolution", "16384"}, "--resolution 16384: the run would need about");
    expect({"check", "smoke-plume", "--resolution", "16384"}, "of memory; this machine has");
    expect({"run", text("missing.toml")}, "missing.toml");
    expect({"run", "no-such-scene"}, "no scene 'no-such-scene'");
    expect({"run", scene, "--set", "domain.resolutoin=4"}, "resolution");
    expect({"run", scene, "--resolution", "-4"}, "--resolution: '-4' is not a whole number from 4 to 16384");
    expect({"run", scene, "--threads", "abc"}, "--threads: 'abc' is not a whole number from 1 to 1024");
    expect({"check", scene, "--method", "level-sett"}, "spindrift: --method level-sett: method cannot be");
    expect({"check", scene, "--seed", "dice"}, "spindrift: --seed dice: seed must be a whole number");
    write_file(path("file"), "");
    expect({"run", scene, "-o", text("file/run")}, "file: is a file, not a folder");
    // The scene ends before the wind has no value; the run would not.
    expect({"run", small_scene("[[wind]]\nvelocity = ['sqrt(2 - t)', 0]\n"), "--frames", "72"},
           "wind[0].velocity has no finite value at t = 2.021 s");
    expect({"run"}, "spindrift: SCENE is required");
    expect({"run"}, "see: spindrift run --help");
    expect({}, "check");
    expect({"run", "dam-braek.tml"}, "name a scene file by its path");
    expect({"run", scene, "-o", text("empty"), "--from", "2"}, "holds no run");
    EXPECT_FALSE(std::filesystem::exists(path("empty"))) << "a run that is refused leaves nothing behind";
    expect({"run", scene, "--resolution"}, "--resolution needs a value");
    expect({"run", scene, "more"}, "unexpected argument 'more'");
    expect({"run", scene, "--set", "liquid[3].name='x'"}, "there is liquid[0] alone");
    expect({"--verson"}, "there is no option '--verson'; did you mean '--version'?");
    expect({"scenes", "show"}, "see: spindrift scenes show --help");
    expect({"check", text("missing.toml")}, "missing.toml");
    expect({"verify", text("missing")}, "missing");
    expect({"verify", folder_.string()}, "holds no run");
    expect({"info", text("missing")}, "does not exist");
    write_file(path("broken.toml"), "spindrift = 1\n[domain]\nsize = [1, 1]\nresolutoin = 8\n[tmie]\n");
    const auto ended = spindrift({"run", text("broken.toml")});
    EXPECT_EQ(ended.code, 2);
    EXPECT_NE(ended.err.find("broken.toml:4"), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find("broken.toml:5"), std::string::npos) << "all mistakes at once: " << ended.err;
}

// Whatever a path leads to, what is wrong with it is told in the same form.
TEST_F(Cli, ScenesThatCannotBeRead) {
    namespace fs = std::filesystem;
    const auto expect = [&](const std::string& scene, const std::string& words) {
        for (const char* verb : {"check", "run"}) {
            const auto ended = spindrift({verb, scene});
            EXPECT_EQ(ended.code, 2) << scene << "\n" << ended.err;
            EXPECT_TRUE(ended.err.starts_with("spindrift: " + scene + ":")) << ended.err;
            EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
        }
    };
    fs::create_symlink("loop.toml", path("loop.toml"));
    expect(text("loop.toml"), "Too many levels of symbolic links");
    fs::create_symlink("nowhere.toml", path("dangling.toml"));
    expect(text("dangling.toml"), "No such file or directory");
    expect("/dev/null", "neither a file nor a pipe");
    expect("/dev/zero", "neither a file nor a pipe");
    fs::create_directory(path("folder.toml"));
    expect(text("folder.toml"), "folder");
    write_file(path("file"), "");
    expect(text("file/scene.toml"), "Not a directory");
    expect(text(std::string(300, 'x') + ".toml"), "File name too long");
    write_file(path("large.toml"), std::string(17 << 20, '#'));
    expect(text("large.toml"), "larger than 16 MiB");
    write_file(path("binary.toml"), std::string("\x00\xff\xfe", 3));
    expect(text("binary.toml"), "");
    // Root may read everything.
    fs::create_directory(path("locked"));
    write_file(path("locked/scene.toml"), "");
    fs::permissions(path("locked"), fs::perms::none);
    const auto locked = spindrift({"check", text("locked/scene.toml")}, {.user = 65534});
    fs::permissions(path("locked"), fs::perms::owner_all);
    if (locked.code == 126 || locked.code == 127) GTEST_SKIP() << "the program cannot be run by another user";
    EXPECT_EQ(locked.code, 2);
    EXPECT_NE(locked.err.find("Permission denied"), std::string::npos) << locked.err;
}

}  // namespace
}  // namespace spindrift::testing
