// A file as memory: its pages are read when they are looked at, and shared with other programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#include <fstream>
#include <iterator>
#include <vector>
#endif

namespace philidor::core {

class MappedFile {
  public:
    MappedFile() = default;
    // Throws std::runtime_error if it cannot be read.
    explicit MappedFile(const std::string& path);
    MappedFile(MappedFile&& other) noexcept { swap(other); }
    MappedFile& operator=(MappedFile&& other) noexcept {
        MappedFile(std::move(other)).swap(*this);
        return *this;
    }
    ~MappedFile();

    std::size_t size() const { return size_; }
    std::uint8_t operator[](std::size_t at) const { return bytes_[at]; }

  private:
    void swap(MappedFile& other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(size_, other.size_);
#if !defined(__unix__) && !defined(__APPLE__)
        std::swap(copy_, other.copy_);
#endif
    }

    const std::uint8_t* bytes_ = nullptr;
    std::size_t size_ = 0;
#if !defined(__unix__) && !defined(__APPLE__)
    std::vector<char> copy_;
#endif
};

#if defined(__unix__) || defined(__APPLE__)
inline MappedFile::MappedFile(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status{};
    void* memory = MAP_FAILED;
    if (file >= 0 && ::fstat(file, &status) == 0 && status.st_size > 0)
        memory = ::mmap(nullptr, std::size_t(status.st_size), PROT_READ, MAP_SHARED, file, 0);
    if (file >= 0) ::close(file);
    if (memory == MAP_FAILED) throw std::runtime_error("cannot read the file '" + path + "'");
    bytes_ = static_cast<const std::uint8_t*>(memory);
    size_ = std::size_t(status.st_size);
}

inline MappedFile::~MappedFile() {
    if (bytes_) ::munmap(const_cast<std::uint8_t*>(bytes_), size_);
}
#else
inline MappedFile::MappedFile(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw std::runtime_error("cannot read the file '" + path + "'");
    copy_.assign(std::istreambuf_iterator<char>(stream), {});
    bytes_ = reinterpret_cast<const std::uint8_t*>(copy_.data());
    size_ = copy_.size();
}

inline MappedFile::~MappedFile() = default;
#endif

}  // namespace philidor::core
