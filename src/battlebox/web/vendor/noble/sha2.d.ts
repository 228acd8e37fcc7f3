export const sha256: (message: Uint8Array) => Uint8Array
