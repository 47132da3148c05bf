import { useCallback, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './BackgroundPicker.module.css'
import { type Draw, Thumbnail } from './Thumbnail.tsx'
import type { OwnPictureState } from './use-own-picture.ts'

/** Adds a picture of the user's, or replaces or removes it. */
export function OwnPicture({ own }: { own: OwnPictureState }) {
  const { t } = useTexts()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <div className={styles.buttons}>
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          aria-label={t('background.choose')}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) void own.add(file)
            currentTarget.value = '' // the same file can be chosen again
          }}
        />
        <Button secondary onClick={() => input.current?.click()}>
          {t('background.choose')}
        </Button>
        {own.picture && (
          <Button secondary onClick={() => void own.remove()}>
            {t('background.remove')}
          </Button>
        )}
      </div>
      <p className={styles.hint} role="status">
        {own.isUnreadable ? t('background.unreadable') : t('background.ownHint')}
      </p>
    </>
  )
}

/** The middle of the picture. */
export function OwnThumbnail({ picture }: { picture: ImageBitmap }) {
  const draw = useCallback<Draw>(
    (drawing, { width, height }) => {
      const scale = Math.max(width / picture.width, height / picture.height)
      const [across, down] = [picture.width * scale, picture.height * scale]
      drawing.drawImage(picture, (width - across) / 2, (height - down) / 2, across, down)
    },
    [picture],
  )
  return <Thumbnail draw={draw} />
}
