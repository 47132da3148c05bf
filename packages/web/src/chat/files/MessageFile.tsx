import type { ChatFile } from '@lectern/protocol/control/client'
import { Download, FileText, type LucideIcon } from 'lucide-react'
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
const PDF = 'application/pdf'
const REVOKE_MS = 60_000
/** A viewer may read parts of a document later. */
const REVOKE_SHOWN_MS = 3_600_000

/** The file of a message: a picture, a PDF that the browser shows in another tab, or a row that downloads it. */
export function MessageFile({ file, access }: Props) {
  if (SHOWN.includes(file.content_type)) return <Picture key={file.file_id} file={file} access={access} />
  const isShown = file.content_type === PDF && navigator.pdfViewerEnabled
  return isShown ? <PdfRow file={file} access={access} /> : <DownloadRow file={file} access={access} />
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

function DownloadRow(props: Props) {
  const { t } = useTexts()
  const { name } = props.file
  const save = (content: Blob) => {
    const url = URL.createObjectURL(content)
    saveFrom(url, name)
    setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS)
  }
  return (
    <Row
      {...props}
      icon={Download}
      label={t('chat.files.download', { name })}
      onPress={() => content => content && save(content)}
    />
  )
}

/** The browser's viewer has a process of its own, which knows nothing of this page (decision 216). */
function PdfRow(props: Props) {
  const { t } = useTexts()
  const { name } = props.file
  const open = () => {
    // Now, as browsers open no tab long after a press.
    const tab = window.open('', '_blank')
    return (content: Blob | null) => {
      if (!content) {
        tab?.close()
        return
      }
      // Whatever was uploaded is a PDF for the browser, and never a page.
      const url = URL.createObjectURL(new Blob([content], { type: PDF }))
      if (tab) {
        tab.opener = null
        tab.location.href = url
      } else saveFrom(url, name)
      setTimeout(() => URL.revokeObjectURL(url), REVOKE_SHOWN_MS)
    }
  }
  return <Row {...props} icon={FileText} label={t('chat.files.open', { name })} onPress={open} />
}

interface RowProps extends Props {
  icon: LucideIcon
  label: string
  /** Called at the press. The function that it returns gets the content once it is loaded; null: it cannot be loaded. */
  onPress: () => (content: Blob | null) => unknown
}

function Row({ file: { file_id, name, size }, access, icon: Icon, label, onPress }: RowProps) {
  const { t, locale } = useTexts()
  const [failure, setFailure] = useState<'gone' | 'unreachable' | null>(null)
  const press = async () => {
    const use = onPress()
    const content = await loadContent(access, file_id)
    const isThere = content instanceof Blob
    setFailure(isThere ? null : content === null ? 'unreachable' : 'gone')
    use(isThere ? content : null)
  }
  return (
    <div className={styles.file}>
      <button type="button" className={styles.row} aria-label={label} onClick={() => void press()}>
        <Icon aria-hidden="true" />
        <bdi className={styles.name}>{name}</bdi>
        <span className={styles.size}>{formatSize(size, locale)}</span>
      </button>
      <p role="alert" className={styles.gone}>
        {failure && (failure === 'gone' ? t('chat.files.gone') : t('chat.notDone'))}
      </p>
    </div>
  )
}
