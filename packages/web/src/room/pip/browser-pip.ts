import type { PipPage } from './pip.ts'

/** Not in TypeScript's library yet. */
interface DocumentPictureInPicture {
  requestWindow(options: { width: number; height: number }): Promise<Window>
}

const SIZE = { width: 400, height: 260 }

/** The picture-in-picture of this browser. */
export function browserPip(): PipPage {
  const { documentPictureInPicture: api } = window as { documentPictureInPicture?: DocumentPictureInPicture }
  // In a frame it is always refused.
  const hasWindows = api !== undefined && window.top === window
  return {
    openWindow: hasWindows ? () => openWindow(api) : null,
    openVideo: document.pictureInPictureEnabled ? openVideo : null,
  }
}

async function openWindow(api: DocumentPictureInPicture): Promise<Window> {
  const opened = await api.requestWindow(SIZE)
  const { documentElement: root, head } = opened.document
  const { lang, dir, dataset } = document.documentElement
  Object.assign(root, { lang, dir })
  Object.assign(root.dataset, dataset)
  for (const sheet of document.querySelectorAll('link[rel=stylesheet], style'))
    head.append(sheet.cloneNode(true))
  return opened
}

const openVideo: PipPage['openVideo'] = async (tileId, onClosed) => {
  const tile = tileId === null ? '' : `[data-tile-id="${CSS.escape(tileId)}"] `
  const video =
    document.querySelector<HTMLVideoElement>(`${tile}video`) ??
    document.querySelector<HTMLVideoElement>('[data-tile] video')
  if (!video) throw new Error('there is no video')
  await video.requestPictureInPicture()
  video.addEventListener('leavepictureinpicture', onClosed, { once: true })
  return {
    tileId: video.closest<HTMLElement>('[data-tile-id]')?.dataset.tileId ?? null,
    close: () => void document.exitPictureInPicture().catch(() => {}),
  }
}
