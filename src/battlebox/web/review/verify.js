// @ts-check
/**
 * Checks the dice of a match record, here and offline: nothing is asked of the server.
 *
 * Before the match the server showed a commitment, the SHA-256 of 32 secret bytes. The record tells the
 * secret, and every random outcome must follow from it: outcome k is drawn from the 64-bit big-endian
 * words of HMAC-SHA-256(secret, "k:0"), HMAC-SHA-256(secret, "k:1"), ...
 */

/**
 * `outcomes`: how many were found true; `line`: where it fails, 0 if at no line.
 * @typedef {{ok: boolean, outcomes: number, message: string, line: number}} Verdict
 * @typedef {(data: Uint8Array) => Uint8Array | Promise<Uint8Array>} Digest
 * @typedef {{sha256: Digest, hmac: (key: Uint8Array) => Promise<Digest>}} Hashes
 */

const WORDS = 1n << 64n

/**
 * @param {string} text the record
 * @param {string} [seen] the commitment this browser was shown at the start, in hex
 * @param {Hashes} [hashes]
 * @returns {Promise<Verdict>}
 */
export async function verify(text, seen = '', hashes) {
  const lines = text.replace(/^\ufeff/, '').split('\n').map((line, i) => ({ at: i + 1, ...split(line) }))
  const fair = lines.find(l => l.verb === 'fair')
  if (!fair) return no(0, 0, reasonForNone(lines, seen))
  const [commitment = '', secretHex = ''] = fair.words.map(w => w.toLowerCase())
  const secret = bytes(secretHex)
  if (secret?.length !== 32 || bytes(commitment)?.length !== 32) {
    return no(0, fair.at, `Line ${fair.at} does not hold a hash and a secret of 32 bytes each.`)
  }
  const { sha256, hmac } = hashes ?? await hashesHere()
  if (hex(await sha256(secret)) !== commitment) {
    return no(0, fair.at, `The secret in line ${fair.at} is wrong: its hash is another one.`)
  }
  if (seen && seen.toLowerCase() !== commitment) {
    return no(0, fair.at,
      `The hash in line ${fair.at} is not the one this browser was shown at the start.`)
  }
  const keyed = await hmac(secret)
  let k = 0
  for (const { at, verb, words } of lines) {
    if (verb !== 'chance') continue
    for (const word of words) {
      const told = outcome(word)
      if (!told) return no(k, at, `Outcome ${k}, in line ${at}, cannot be read: ${word.slice(0, 60)}`)
      const due = await drawn(told, k, keyed)
      if (due.join() !== told.values.join()) {
        return no(k, at, `Outcome ${k}, in line ${at}, is wrong: it says ${told.head}=${short(told.values)},`
          + ` the secret gives ${told.head}=${short(due)}.`)
      }
      k += 1
    }
  }
  if (!k) return no(0, 0, 'This record has no random outcomes, so there is nothing to check.')
  const all = k === 1 ? 'The one random outcome follows' : `All ${k} random outcomes follow`
  const known = seen ? ' (this browser was shown the same one before the end)' : ''
  return { ok: true, outcomes: k, line: 0, message: `${all} from the secret, which has the hash shown before the match${known}.` }
}

/** @param {number} outcomes @param {number} line @param {string} message @returns {Verdict} */
const no = (outcomes, line, message) => ({ ok: false, outcomes, message, line })

/** @param {{verb: string}[]} lines @param {string} seen */
function reasonForNone(lines, seen) {
  if (seen) return 'A hash was shown before this match, but its record holds none.'
  return lines.some(l => l.verb === 'seed')
    ? 'This match was played with a chosen seed, so no hash was shown.'
    : 'This is not the record of a match with fair dice.'
}

/** @param {string} line */
function split(line) {
  const [verb = '', ...words] = line.trim().split(/\s+/)
  return { verb, words }
}

/**
 * A number of LOW..HIGH, or an order of 0..N-1, as the record tells it.
 * @typedef {{head: string, low: bigint, n: bigint, order: boolean, values: bigint[]}} Outcome
 */

/** @param {string} word @returns {Outcome | null} */
function outcome(word) {
  const number = /^(-?\d{1,19})\.\.(-?\d{1,19})=(-?\d{1,19})$/.exec(word)
  if (number) {
    const [low = 0n, high = 0n, value = 0n] = number.slice(1).map(BigInt)
    return high < low || high - low >= WORDS ? null
      : { head: `${low}..${high}`, low, n: high - low + 1n, order: false, values: [value] }
  }
  const shuffle = /^(\d{1,6})!=((?:\d{1,6}(?:,\d{1,6})*)?)$/.exec(word)
  if (!shuffle) return null
  const [, n = '', order = ''] = shuffle
  const values = order ? order.split(',').map(BigInt) : []
  return values.length !== Number(n) ? null : { head: `${n}!`, low: 0n, n: BigInt(n), order: true, values }
}

/**
 * What outcome k had to be.
 * @param {Outcome} told
 * @param {number} k
 * @param {Digest} keyed
 * @returns {Promise<bigint[]>}
 */
async function drawn({ low, n, order }, k, keyed) {
  const below = stream(k, keyed)
  if (!order) return [low + await below(n)]
  const cards = Array.from({ length: Number(n) }, (_, i) => BigInt(i))
  for (let i = cards.length - 1; i > 0; i--) {
    const j = Number(await below(BigInt(i + 1)))
    const [a, b] = [cards[i], cards[j]]
    if (a !== undefined && b !== undefined) [cards[i], cards[j]] = [b, a]
  }
  return cards
}

/**
 * Numbers 0 .. n-1, every one as likely: words beyond the largest multiple of n are passed over.
 * @param {number} k
 * @param {Digest} keyed
 * @returns {(n: bigint) => Promise<bigint>}
 */
function stream(k, keyed) {
  let j = 0
  /** @type {bigint[]} */
  let words = []
  return async n => {
    for (;;) {
      if (!words.length) {
        const block = await keyed(new TextEncoder().encode(`${k}:${j++}`))
        const view = new DataView(block.buffer, block.byteOffset, block.byteLength)
        words = [0, 8, 16, 24].map(at => view.getBigUint64(at))
      }
      const w = /** @type {bigint} */ (words.shift())
      if (w < WORDS - WORDS % n) return w % n
    }
  }
}

/** @param {bigint[]} values */
const short = values => values.length > 12 ? `${values.slice(0, 12).join()},…` : values.join()

/** @param {string} text @returns {Uint8Array<ArrayBuffer> | null} */
function bytes(text) {
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return null
  return Uint8Array.from(text.match(/../g) ?? [], x => parseInt(x, 16))
}

/** @param {Uint8Array} data */
const hex = data => Array.from(data, b => b.toString(16).padStart(2, '0')).join('')

/**
 * The browser's own SHA-256 and HMAC; it has none on pages over plain http, but for localhost.
 * @returns {Promise<Hashes>}
 */
async function hashesHere() {
  const subtle = globalThis.crypto?.subtle
  return subtle ? native(subtle) : vendored()
}

/** @param {SubtleCrypto} subtle @returns {Hashes} */
function native(subtle) {
  const own = (/** @type {Uint8Array} */ x) => new Uint8Array(x) // TypeScript: not of a shared buffer
  return {
    sha256: async data => new Uint8Array(await subtle.digest('SHA-256', own(data))),
    hmac: async key => {
      const how = { name: 'HMAC', hash: 'SHA-256' }
      const secret = await subtle.importKey('raw', own(key), how, false, ['sign'])
      return async data => new Uint8Array(await subtle.sign('HMAC', secret, own(data)))
    },
  }
}

/** @returns {Promise<Hashes>} */
export async function vendored() {
  const [{ sha256 }, { hmac }] = await Promise.all([
    import('../vendor/noble/sha2.js'), import('../vendor/noble/hmac.js'),
  ])
  return { sha256, hmac: async key => data => hmac(sha256, key, data) }
}
