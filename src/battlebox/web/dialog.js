// @ts-check
/** A dialog: keeps the focus inside, closes with Esc, with its button and beside it. */
import { Icon } from './pieces.js'
import { html, useEffect, useRef } from './ui.js'
/** @import { Child } from './vendor/preact.js' */

/**
 * @param {{title: string, onClose: () => void, cls?: string, children?: Child}} props
 */
export function Dialog({ title, onClose, cls = '', children }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null))
  useEffect(() => {
    const dialog = ref.current, before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const beside = (/** @type {MouseEvent} */ e) => { if (e.target === ref.current) onClose() }
  const cancel = (/** @type {Event} */ e) => {
    e.preventDefault()
    onClose()
  }
  return html`
    <dialog ref=${ref} class=${cls} aria-label=${title} onClick=${beside} onCancel=${cancel}>
      <div class="dialog">
        <div class="dialog-head">
          <h2>${title}</h2>
          <button type="button" class="tool" aria-label="Close" onClick=${onClose}>${Icon('cross')}</button>
        </div>
        ${children}
      </div>
    </dialog>`
}
