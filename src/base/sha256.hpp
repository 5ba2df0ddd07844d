// SHA-256 (FIPS 180-4), for keys of stored results and for checksums of their files. Computed in
// memory: a digest by way of a temporary file is wrong without notice when the disk is full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mk {

// The digest of `size` bytes as 64 hexadecimal digits.
std::string sha256(const std::uint8_t* bytes, std::size_t size);

}  // namespace mk
