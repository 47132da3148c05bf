import type { ChatFile } from '@lectern/protocol/control/client'
import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatSize } from '../../format-size.ts'
import { saveFrom } from '../../save-file.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { type FileAccess, loadContent } from '../../uploads/files.ts'
import styles from './MessageFile.module.css'

interface Props {
  file: ChatFile
  access: FileAccess
}

/** The types that every browser shows. */
const SHOWN = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
const REVOKE_MS = 60_000

/** The file of a message: a picture, or a row that downloads it. */
export function MessageFile({ file, access }: Props) {
  return SHOWN.includes(file.content_type) ? (
    <Picture key={file.file_id} file={file} access={access} />
  ) : (
    <DownloadRow file={file} access={access} />
  )
}

function Picture({ file, access }: Props) {
  const { t } = useTexts()
  const [url, setUrl] = useState<string | null>(null)
  const [isBroken, setBroken] = useState(false)
  const { file_id, name } = file

  useEffect(() => {
    let shown: string | null = null
    const stop = new AbortController()
    const { signal } = stop
    const load = async () => {
      const content = await loadContent(access, file_id)
      if (signal.aborted) return
      if (content === null) window.addEventListener('online', () => void load(), { once: true, signal })
      if (content instanceof Blob) shown = URL.createObjectURL(content)
      setUrl(shown)
      setBroken(shown === null)
    }
    void load()
    return () => {
      stop.abort()
      if (shown) URL.revokeObjectURL(shown)
    }
  }, [access, file_id])

  if (isBroken) return <DownloadRow file={file} access={access} />
  return (
    <div className={styles.picture}>
      {url && (
        <a href={url} target="_blank" rel="noopener" title={t('chat.files.open', { name })}>
          <img src={url} alt={name} onError={() => setBroken(true)} />
        </a>
      )}
    </div>
  )
}

function DownloadRow({ file: { file_id, name, size }, access }: Props) {
  const { t, locale } = useTexts()
  const [failure, setFailure] = useState<'gone' | 'unreachable' | null>(null)
  const download = async () => {
    const content = await loadContent(access, file_id)
    if (!(content instanceof Blob)) return setFailure(content === null ? 'unreachable' : 'gone')
    setFailure(null)
    const url = URL.createObjectURL(content)
    saveFrom(url, name)
    setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS)
  }
  return (
    <div className={styles.file}>
      <button
        type="button"
        className={styles.row}
        aria-label={t('chat.files.download', { name })}
        onClick={() => void download()}
      >
        <Download aria-hidden="true" />
        <bdi className={styles.name}>{name}</bdi>
        <span className={styles.size}>{formatSize(size, locale)}</span>
      </button>
      <p role="alert" className={styles.gone}>
        {failure && (failure === 'gone' ? t('chat.files.gone') : t('chat.notDone'))}
      </p>
    </div>
  )
}
