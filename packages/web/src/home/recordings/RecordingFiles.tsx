import type { OwnFileView, OwnRecordingResponse } from '@lectern/protocol'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { formatSize } from '../../format-size.ts'
import { saveFrom } from '../../save-file.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import styles from './RecordingFiles.module.css'
import type { RecordingDetails } from './recording-details.ts'

interface Props {
  recording: OwnRecordingResponse
  linkTo: RecordingDetails['linkTo']
}

/** Downloads: media first, reports of the recorder below. */
export function RecordingFiles({ recording: { files }, linkTo }: Props) {
  const { t } = useTexts()
  const [failed, setFailed] = useState(false)
  const isMedia = ({ content_type }: OwnFileView) => /^(video|audio)\//.test(content_type)
  const download = async ({ blob_id }: OwnFileView) => {
    setFailed(false)
    const url = await linkTo(blob_id)
    if (url === null) return setFailed(true)
    saveFrom(url)
  }
  const list = (some: OwnFileView[]) => (
    <ul className={styles.list}>
      {some.map(file => (
        <FileItem key={file.blob_id} file={file} onDownload={() => void download(file)} />
      ))}
    </ul>
  )
  const [media, others] = [files.filter(isMedia), files.filter(file => !isMedia(file))]
  return (
    <section className={styles.files} aria-labelledby="recording-files">
      <h2 id="recording-files" className={styles.heading}>
        {t('recordings.files')}
      </h2>
      {failed && (
        <p className={styles.failed} role="alert">
          {t('recordings.notDone')}
        </p>
      )}
      {media.length > 0 && list(media)}
      {others.length > 0 && (
        <details>
          <summary className={styles.summary}>{t('recordings.technical')}</summary>
          {list(others)}
        </details>
      )}
    </section>
  )
}

function FileItem({ file: { path, size }, onDownload }: { file: OwnFileView; onDownload: () => void }) {
  const { t, locale } = useTexts()
  return (
    <li className={styles.item}>
      <span className={styles.path}>{path}</span>
      <span className={styles.size}>{formatSize(size, locale)}</span>
      <PanelButton
        icon={Download}
        label={t('recordings.download', { file: path })}
        onClick={onDownload}
        iconOnly
      />
    </li>
  )
}
