// A library to preload: the k-th call of one kind fails, in the process that the test started
// (WHO=first) or in those below it (WHO=others), once or from there on. What may fail is what a run
// asks of its files, its memory and its processes: open, write, fsync, rename, mmap, fork, send.
// Calls on files are counted below FOLDER and in memory folders alone, so that the machine's own
// libraries load. SCHEDFARM_FAIL=CALL:K:WHO:once|on  SCHEDFARM_FAIL_FOLDER=PATH
// SCHEDFARM_FAIL_COUNT=FILE (64 bytes of zeros; what was counted is read from it)
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

/// In a file, so that all processes of a run count together.
struct Counted {
    std::atomic<pid_t> first;
    std::atomic<std::uint64_t> calls;
    std::atomic<std::uint64_t> failed;
};

struct Fault {
    std::array<char, 16> call{};
    std::uint64_t at = 0;
    bool in_first = true;
    bool stays = false;
    const char* folder = nullptr;
    Counted* counted = nullptr;
};

Fault fault;

void* mapped(int descriptor) {
    return reinterpret_cast<void*>(
        ::syscall(SYS_mmap, nullptr, 64, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    );  // NOLINT
}

__attribute__((constructor)) void read_fault() {
    const char* words = std::getenv("SCHEDFARM_FAIL");
    const char* count = std::getenv("SCHEDFARM_FAIL_COUNT");
    fault.folder = std::getenv("SCHEDFARM_FAIL_FOLDER");
    if (words == nullptr || count == nullptr || fault.folder == nullptr) {
        return;
    }
    std::array<char, 16> who{}, how{};
    if (std::sscanf(
            words, "%15[^:]:%lu:%15[^:]:%15s", fault.call.data(), &fault.at, who.data(), how.data()
        )
        != 4) {
        return;
    }
    fault.in_first = std::strcmp(who.data(), "first") == 0;
    fault.stays = std::strcmp(how.data(), "on") == 0;
    const auto descriptor =
        static_cast<int>(::syscall(SYS_openat, AT_FDCWD, count, O_RDWR | O_CLOEXEC));
    if (descriptor < 0) {
        return;
    }
    fault.counted = static_cast<Counted*>(mapped(descriptor));
    ::syscall(SYS_close, descriptor);
    pid_t none = 0;
    fault.counted->first.compare_exchange_strong(none, ::getpid());
}

/// Counts a call that may fail, and says whether this one does.
bool fails(const char* call) {
    if (fault.counted == nullptr || std::strcmp(call, fault.call.data()) != 0
        || (::getpid() == fault.counted->first) != fault.in_first) {
        return false;
    }
    const std::uint64_t number = ++fault.counted->calls;
    const bool is_failed = number == fault.at || (fault.stays && number > fault.at);
    fault.counted->failed += is_failed ? 1 : 0;
    return is_failed;
}

bool is_inside(const char* path) {
    return fault.counted != nullptr
           && (path[0] != '/' || std::strncmp(path, fault.folder, std::strlen(fault.folder)) == 0
               || std::strncmp(path, "/dev/shm/", 9) == 0 || std::strncmp(path, "/memfd:", 7) == 0);
}

bool is_inside(int descriptor) {
    if (fault.counted == nullptr || descriptor <= STDERR_FILENO) {
        return false;
    }
    std::array<char, 32> link{};
    std::array<char, PATH_MAX> path{};
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
    const auto length = ::syscall(SYS_readlink, link.data(), path.data(), path.size() - 1);
    return length > 0 && path[0] == '/' && is_inside(path.data());
}

int refused(int reason) {
    errno = reason;
    return -1;
}

/// Of a file that is opened; it is given only where one may be made.
mode_t mode_of(int flags, va_list more) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));  // NOLINT
}

}  // namespace

// NOLINTBEGIN: the names and shapes of the C library
extern "C" {

int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return is_inside(path) && fails("open")
               ? refused(EACCES)
               : next<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return is_inside(path) && fails("open")
               ? refused(EACCES)
               : next<int (*)(int, const char*, int, ...)>("openat")(folder, path, flags, mode);
}

int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char* path, int flags, ...) __attribute__((alias("openat")));

FILE* fopen(const char* path, const char* mode) {
    return is_inside(path) && fails("open")
               ? (errno = EMFILE, nullptr)
               : next<FILE* (*)(const char*, const char*)>("fopen")(path, mode);
}

FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));

ssize_t write(int descriptor, const void* bytes, size_t size) {
    return is_inside(descriptor) && fails("write")
               ? refused(ENOSPC)
               : next<ssize_t (*)(int, const void*, size_t)>("write")(descriptor, bytes, size);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
    return is_inside(descriptor) && fails("write")
               ? refused(ENOSPC)
               : next<ssize_t (*)(int, const iovec*, int)>("writev")(descriptor, parts, count);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
    return is_inside(descriptor) && fails("write")
               ? refused(ENOSPC)
               : next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite"
               )(descriptor, bytes, size, at);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off_t at)
    __attribute__((alias("pwrite")));

int ftruncate(int descriptor, off_t size) {
    return is_inside(descriptor) && fails("write")
               ? refused(ENOSPC)
               : next<int (*)(int, off_t)>("ftruncate")(descriptor, size);
}

int ftruncate64(int descriptor, off_t size) __attribute__((alias("ftruncate")));

int fsync(int descriptor) {
    return is_inside(descriptor) && fails("fsync") ? refused(EIO)
                                                   : next<int (*)(int)>("fsync")(descriptor);
}

int fdatasync(int descriptor) {
    return is_inside(descriptor) && fails("fsync") ? refused(EIO)
                                                   : next<int (*)(int)>("fdatasync")(descriptor);
}

int rename(const char* from, const char* to) {
    return is_inside(to) && fails("rename")
               ? refused(EACCES)
               : next<int (*)(const char*, const char*)>("rename")(from, to);
}

int renameat(int of_from, const char* from, int of_to, const char* to) {
    return is_inside(to) && fails("rename")
               ? refused(EACCES)
               : next<int (*)(int, const char*, int, const char*)>("renameat"
               )(of_from, from, of_to, to);
}

int renameat2(int of_from, const char* from, int of_to, const char* to, unsigned flags) {
    return is_inside(to) && fails("rename")
               ? refused(EACCES)
               : next<int (*)(int, const char*, int, const char*, unsigned)>("renameat2"
               )(of_from, from, of_to, to, flags);
}

int linkat(int of_from, const char* from, int of_to, const char* to, int flags) {
    return is_inside(to) && fails("rename")
               ? refused(EACCES)
               : next<int (*)(int, const char*, int, const char*, int)>("linkat"
               )(of_from, from, of_to, to, flags);
}

int link(const char* from, const char* to) {
    return is_inside(to) && fails("rename")
               ? refused(EPERM)
               : next<int (*)(const char*, const char*)>("link")(from, to);
}

void* mmap(void* at, size_t size, int protection, int flags, int descriptor, off_t offset) {
    const bool is_file = (flags & MAP_ANONYMOUS) == 0;
    if (fault.counted != nullptr && (!is_file || is_inside(descriptor)) && fails("mmap")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return next<void* (*)(void*, size_t, int, int, int, off_t)>("mmap"
    )(at, size, protection, flags, descriptor, offset);
}

void* mmap64(void* at, size_t size, int protection, int flags, int descriptor, off_t offset)
    __attribute__((alias("mmap")));

pid_t fork() {
    return fails("fork") ? refused(EAGAIN) : next<pid_t (*)()>("fork")();
}

pid_t vfork() {
    return fork();
}

int posix_spawnp(
    pid_t* child,
    const char* file,
    const posix_spawn_file_actions_t* actions,
    const posix_spawnattr_t* attributes,
    char* const arguments[],
    char* const environment[]
) {
    return fails("fork")
               ? EAGAIN
               : next<
                   int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*, char* const*)>(
                   "posix_spawnp"
               )(child, file, actions, attributes, arguments, environment);
}

int socketpair(int domain, int type, int protocol, int ends[2]) {
    return fails("socket")
               ? refused(EMFILE)
               : next<int (*)(int, int, int, int*)>("socketpair")(domain, type, protocol, ends);
}

ssize_t send(int descriptor, const void* bytes, size_t size, int flags) {
    return fails("socket") ? refused(ENOBUFS)
                           : next<ssize_t (*)(int, const void*, size_t, int)>("send"
                           )(descriptor, bytes, size, flags);
}

ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
    return fails("socket")
               ? refused(ENOBUFS)
               : next<ssize_t (*)(int, const msghdr*, int)>("sendmsg")(descriptor, message, flags);
}

}  // extern "C"
// NOLINTEND
