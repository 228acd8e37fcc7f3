// @ts-check
/** Links to hand on. */
import { ChoiceButton } from './pieces.js'
import { html } from './ui.js'

/** Whether an address leads from every machine to itself. @param {string} url */
export const isHere = url => /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(new URL(url).hostname)

/**
 * A link to hand on: shared where the system can, else copied.
 * @param {{label: string, url: string, onSay: (text: string) => void}} props
 */
export function Share({ label, url, onSay }) {
  const share = async () => {
    try {
      if (typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches) {
        await navigator.share({ title: 'battlebox', text: label, url })
      } else {
        await navigator.clipboard.writeText(url)
        onSay('Link copied.')
      }
    } catch (e) {
      if (!(e instanceof Error && e.name === 'AbortError')) onSay('Copy the link from the field.')
    }
  }
  const all = (/** @type {any} */ e) => e.currentTarget.select()
  return html`
    <div class="share">
      <label class="field">${label}<input readonly value=${url} onFocus=${all} /></label>
      <${ChoiceButton} text="Share" icon="share" onClick=${share} aria-label=${`Share: ${label}`} />
    </div>`
}
