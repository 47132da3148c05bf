import { createHash } from 'node:crypto'
import { PAGE_SCRIPT } from './script.ts'
import { textsFor } from './texts.ts'

/** The data for the script of a page. */
export type PageData =
  | {
      is: 'start'
      key: string
      binding: string
      storageTarget: string | null
      platformOrigin: string
      authorizationUrl: string
      /** Begins the launch in a window of its own. */
      newWindowUrl: string
    }
  | {
      is: 'enter' | 'choose'
      key: string
      state: string
      storageTarget: string | null
      platformOrigin: string
      enterUrl: string
      title: string
    }
  | { is: 'registered' }
  | { is: 'failed'; message: string }

const STYLE = `body{font:1.0625rem/1.5 system-ui,sans-serif;margin:3rem auto;padding:0 1rem;max-width:30rem;color-scheme:light dark}
[hidden]{display:none}
a.button,button{display:inline-block;font:inherit;padding:.6rem 1rem;border:0;border-radius:.5rem;background:#1f5fbf;color:#fff;text-decoration:none;cursor:pointer}
a.button:focus-visible,button:focus-visible,input:focus-visible{outline:3px solid #7aa7ea;outline-offset:2px}
label{display:block}
input{font:inherit;width:100%;box-sizing:border-box;margin:.25rem 0 1rem;padding:.5rem;border:1px solid #767676;border-radius:.5rem}`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Embedded by the platforms, and nobody else; the form of a choice goes to the platform. */
export const pageHeaders = (ancestors: readonly string[]): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${hashOf(PAGE_SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "connect-src 'self'",
    `form-action 'self' ${ancestors.join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors 'self' ${ancestors.join(' ')}`,
  ].join('; '),
})

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

/** A page of a launch, in the language of the browser. */
export function renderPage(data: PageData, acceptedLanguages: string | undefined): string {
  const { language, texts } = textsFor(acceptedLanguages)
  const newWindow = data.is === 'start' ? data.newWindowUrl : ''
  const title = data.is === 'choose' ? data.title : ''
  const reason = data.is === 'failed' ? data.message : ''
  // `<` must not end the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Lectern</title>
<style>${STYLE}</style>
</head>
<body>
<p id="opening" data-part role="status">${texts.opening}</p>
<div id="blocked" data-part hidden>
<p>${texts.blocked}</p>
<p><a class="button" target="_blank" href="${escapeHtml(newWindow)}">${texts.newWindow}</a></p>
</div>
<div id="failed" data-part role="alert" hidden><p>${texts.failed}</p><p lang="en">${escapeHtml(reason)}</p></div>
<form id="choose" data-part hidden>
<label for="title">${texts.lessonTitle}</label>
<input id="title" name="title" required maxlength="500" value="${escapeHtml(title)}">
<button>${texts.addLesson}</button>
</form>
<p id="registered" data-part role="status" hidden>${texts.registered}</p>
<script type="application/json" id="data">${json}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`
}
