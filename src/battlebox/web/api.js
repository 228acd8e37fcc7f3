// @ts-check
/** The requests of docs/protocol.md, with every failure as one kind of error, in plain words. */
import { to } from './place.js'

/** What went wrong. `code` is for programs, `message` for people, `where` names the field, if any. */
export class ApiError extends Error {
  /** @param {string} code @param {string} message @param {string} where @param {number} status */
  constructor(code, message, where = '', status = 0) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.where = where
    this.status = status
  }
}

/** How long an answer may take: the first one compiles nothing, so this is ample. */
const PATIENCE = 20_000

/**
 * @param {string} path
 * @param {{method?: string, body?: unknown, token?: string}} [how]
 * @returns {Promise<Response>}
 */
async function ask(path, { method = 'GET', body, token } = {}) {
  /** @type {Record<string, string>} */
  const headers = {}
  if (token) headers.Authorization = `Bearer ${token}`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const stop = new AbortController()
  const alarm = setTimeout(() => stop.abort(), PATIENCE)
  try {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const answer = await fetch(to(path), { method, headers, body: text, signal: stop.signal, cache: 'no-store' })
    if (!answer.ok) throw await refusal(answer)
    return answer
  } catch (e) {
    if (e instanceof ApiError) throw e
    throw unreachable(stop.signal.aborted)
  } finally {
    clearTimeout(alarm)
  }
}

/** @param {boolean} late */
function unreachable(late) {
  return late
    ? new ApiError('slow', 'The server has not answered for 20 seconds. Try again in a moment.')
    : new ApiError('unreachable', 'The server cannot be reached. Is battlebox still running?')
}

/** @param {Response} answer */
async function refusal(answer) {
  const said = await answer.json().catch(() => ({}))
  const { code = 'failed', message = '', where = '' } = said?.error ?? {}
  return new ApiError(code, message || `The server refused the request (${answer.status}).`, where, answer.status)
}

/** @param {Response} answer */
async function parsed(answer) {
  try {
    return await answer.json()
  } catch {
    throw new ApiError('garbled', 'The server’s answer could not be read. Try again.', '', answer.status)
  }
}

/** @param {string} path @param {string} [token] @returns {Promise<any>} */
export const get = async (path, token) => parsed(await ask(path, { token }))

/** @param {string} path @param {unknown} body @param {string} [token] @returns {Promise<any>} */
export const post = async (path, body, token) => parsed(await ask(path, { method: 'POST', body, token }))

/** @param {string} path @param {string} [token] @returns {Promise<string>} */
export async function text(path, token) {
  const answer = await ask(path, { token })
  return answer.text().catch(() => { throw unreachable(false) })
}
