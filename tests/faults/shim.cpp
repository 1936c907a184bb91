// Makes the n-th call of the C library fail, for files below a folder or for the memory of one module.
//
// Loaded with LD_PRELOAD; the tests arm it through ctypes. Linux with glibc.
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
}

namespace {

enum Kind { none, files, memory };
std::atomic<int> kind{none};
std::atomic<long> calls{0}, failing{0};
std::atomic<bool> fired{false};
bool lasting = false;  // all calls from the n-th on fail
int with = EIO;
char folder[4096], failed[256];
bool below[65536];  // descriptors of files below the folder
uintptr_t low[2], high[2];  // where the module and libstdc++ lie

bool fails(const char *what) {
    const long call = ++calls;
    if (lasting ? call < failing : call != failing) return false;
    if (!fired.exchange(true)) std::snprintf(failed, sizeof failed, "%s", what);
    return true;
}

bool is_below(int at, const char *path) {
    if (!path) return false;
    if (path[0] != '/') return at >= 0 && at < 65536 && below[at];
    const size_t length = std::strlen(folder);
    return length && !std::strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

bool refuses_path(const char *what, int at, const char *path) {
    if (kind != files || !is_below(at, path) || !fails(what)) return false;
    errno = with;
    return true;
}

bool refuses(const char *what, int handle) {
    if (kind != files || handle < 0 || handle >= 65536 || !below[handle] || !fails(what))
        return false;
    errno = with;
    return true;
}

template <class F>
F *next(const char *name) {
    return reinterpret_cast<F *>(dlsym(RTLD_NEXT, name));
}

int opened(int handle, int at, const char *path) {
    if (handle >= 0 && handle < 65536) below[handle] = kind == files && is_below(at, path);
    return handle;
}

bool refuses_memory(const char *what, void *caller, bool cxx) {
    if (kind != memory) return false;
    const auto place = reinterpret_cast<uintptr_t>(caller);
    for (int i = 0; i < (cxx ? 2 : 1); ++i)
        if (place >= low[i] && place < high[i] && fails(what)) return true;
    return false;
}

int note_module(dl_phdr_info *info, size_t, void *) {
    const char *names[] = {"/_native.", "/libstdc++.so"};
    for (int i = 0; i < 2; ++i) {
        if (!std::strstr(info->dlpi_name, names[i])) continue;
        for (int j = 0; j < info->dlpi_phnum; ++j) {
            const auto &part = info->dlpi_phdr[j];
            if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
            low[i] = info->dlpi_addr + part.p_vaddr;
            high[i] = low[i] + part.p_memsz;
        }
    }
    return 0;
}

}  // namespace

#define NEXT(name) static auto *const real = next<decltype(name)>(#name)
#define CALLER __builtin_return_address(0)

extern "C" {

void faults_arm(int what, const char *where, long nth, int error, int lasts) {
    dl_iterate_phdr(note_module, nullptr);
    std::snprintf(folder, sizeof folder, "%s", where);
    failing = nth, calls = 0, fired = false, with = error, lasting = lasts;
    failed[0] = 0;
    kind = what;
}
void faults_disarm() { kind = none; }
long faults_calls() { return calls; }
int faults_fired() { return fired; }
const char *faults_failed() { return failed; }

#define OPEN(name)                                                                   \
    int name(const char *path, int flags, ...) {                                     \
        NEXT(name);                                                                  \
        va_list rest;                                                                \
        va_start(rest, flags);                                                       \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                                \
        if (refuses_path(flags & O_CREAT ? "create" : "open", -1, path)) return -1;  \
        return opened(real(path, flags, mode), -1, path);                            \
    }
OPEN(open)
OPEN(open64)
#define OPENAT(name)                                                                 \
    int name(int at, const char *path, int flags, ...) {                             \
        NEXT(name);                                                                  \
        va_list rest;                                                                \
        va_start(rest, flags);                                                       \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                                \
        if (refuses_path(flags & O_CREAT ? "create" : "open", at, path)) return -1;  \
        return opened(real(at, path, flags, mode), at, path);                        \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int handle) {
    NEXT(close);
    const bool refused = refuses("close", handle);
    if (handle >= 0 && handle < 65536) below[handle] = false;
    // Linux frees the descriptor in any case.
    const int done = real(handle);
    if (!refused) return done;
    errno = with;
    return -1;
}

#define BY_HANDLE(type, name, failure, parameters, ...) \
    type name parameters {                              \
        NEXT(name);                                     \
        if (refuses(#name, handle)) return failure;     \
        return real(__VA_ARGS__);                       \
    }
BY_HANDLE(ssize_t, read, -1, (int handle, void *to, size_t n), handle, to, n)
BY_HANDLE(ssize_t, pread, -1, (int handle, void *to, size_t n, off_t at), handle, to, n, at)
BY_HANDLE(ssize_t, pread64, -1, (int handle, void *to, size_t n, off64_t at), handle, to, n, at)
BY_HANDLE(ssize_t, write, -1, (int handle, const void *from, size_t n), handle, from, n)
BY_HANDLE(ssize_t, pwrite, -1, (int handle, const void *from, size_t n, off_t at), handle, from, n, at)
BY_HANDLE(ssize_t, pwrite64, -1, (int handle, const void *from, size_t n, off64_t at), handle, from, n, at)
BY_HANDLE(int, fsync, -1, (int handle), handle)
BY_HANDLE(int, fdatasync, -1, (int handle), handle)
BY_HANDLE(int, ftruncate, -1, (int handle, off_t n), handle, n)
BY_HANDLE(int, ftruncate64, -1, (int handle, off64_t n), handle, n)
BY_HANDLE(int, fchmod, -1, (int handle, mode_t mode), handle, mode)
BY_HANDLE(int, flock, -1, (int handle, int how), handle, how)
BY_HANDLE(DIR *, fdopendir, nullptr, (int handle), handle)

#define BY_PATH(type, name, failure, parameters, ...)       \
    type name parameters {                                  \
        NEXT(name);                                         \
        if (refuses_path(#name, -1, path)) return failure;  \
        return real(__VA_ARGS__);                           \
    }
BY_PATH(int, mkdir, -1, (const char *path, mode_t mode), path, mode)
BY_PATH(int, rmdir, -1, (const char *path), path)
BY_PATH(int, unlink, -1, (const char *path), path)
BY_PATH(int, chmod, -1, (const char *path, mode_t mode), path, mode)
BY_PATH(int, rename, -1, (const char *path, const char *to), path, to)
BY_PATH(int, mkstemp, -1, (char *path), path)
BY_PATH(int, mkostemp, -1, (char *path, int flags), path, flags)
BY_PATH(DIR *, opendir, nullptr, (const char *path), path)

#define AT_PATH(type, name, failure, parameters, ...)       \
    type name parameters {                                  \
        NEXT(name);                                         \
        if (refuses_path(#name, at, path)) return failure;  \
        return real(__VA_ARGS__);                           \
    }
AT_PATH(int, unlinkat, -1, (int at, const char *path, int flags), at, path, flags)
AT_PATH(int, mkdirat, -1, (int at, const char *path, mode_t mode), at, path, mode)
AT_PATH(int, fchmodat, -1, (int at, const char *path, mode_t mode, int flags), at, path, mode, flags)
AT_PATH(int, renameat, -1, (int at, const char *path, int to, const char *name), at, path, to, name)
AT_PATH(int, renameat2, -1, (int at, const char *path, int to, const char *name, unsigned flags), at,
        path, to, name, flags)

static void *map(void *at, size_t n, int may, int how, int handle, off64_t from, void *caller) {
    const bool own = handle < 0;
    if (own ? refuses_memory("mmap", caller, false) : refuses("mmap", handle)) {
        errno = own ? ENOMEM : with;
        return MAP_FAILED;
    }
    return reinterpret_cast<void *>(syscall(SYS_mmap, at, n, may, how, handle, from));
}
void *mmap(void *at, size_t n, int may, int how, int handle, off_t from) {
    return map(at, n, may, how, handle, from, CALLER);
}
void *mmap64(void *at, size_t n, int may, int how, int handle, off64_t from) {
    return map(at, n, may, how, handle, from, CALLER);
}

void *malloc(size_t n) {
    return refuses_memory("malloc", CALLER, false) ? nullptr : __libc_malloc(n);
}
void *calloc(size_t n, size_t size) {
    return refuses_memory("calloc", CALLER, false) ? nullptr : __libc_calloc(n, size);
}
void *realloc(void *old, size_t n) {
    return refuses_memory("realloc", CALLER, false) ? nullptr : __libc_realloc(old, n);
}

}  // extern "C"

static void *made(void *memory) {
    if (!memory) throw std::bad_alloc();
    return memory;
}
static void *refused_or(void *caller, size_t n, size_t aligned = 0) {
    if (refuses_memory("operator new", caller, true)) return nullptr;
    return aligned ? __libc_memalign(aligned, n) : __libc_malloc(n ? n : 1);
}
void *operator new(size_t n) { return made(refused_or(CALLER, n)); }
void *operator new[](size_t n) { return made(refused_or(CALLER, n)); }
void *operator new(size_t n, std::align_val_t a) { return made(refused_or(CALLER, n, size_t(a))); }
void *operator new[](size_t n, std::align_val_t a) { return made(refused_or(CALLER, n, size_t(a))); }
void *operator new(size_t n, const std::nothrow_t &) noexcept { return refused_or(CALLER, n); }
void *operator new[](size_t n, const std::nothrow_t &) noexcept { return refused_or(CALLER, n); }
void operator delete(void *p) noexcept { std::free(p); }
void operator delete[](void *p) noexcept { std::free(p); }
void operator delete(void *p, size_t) noexcept { std::free(p); }
void operator delete[](void *p, size_t) noexcept { std::free(p); }
void operator delete(void *p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void *p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void *p, size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void *p, size_t, std::align_val_t) noexcept { std::free(p); }
