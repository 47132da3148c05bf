import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'

/** Chooses files for the next message. */
export function AttachButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const { t } = useTexts()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <PanelButton
        icon={Paperclip}
        label={t('chat.files.attach')}
        onClick={() => input.current?.click()}
        iconOnly
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-chat-files
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = '' // the same file may be chosen again
        }}
      />
    </>
  )
}
