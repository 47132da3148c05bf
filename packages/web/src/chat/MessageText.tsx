import { memo } from 'react'
import { splitLinks } from './links.ts'
import styles from './MessageText.module.css'

/** The text of a message, with its addresses as links. */
export const MessageText = memo(({ text }: { text: string }) => (
  <p className={styles.text} dir="auto" data-text>
    {splitLinks(text).map((piece, index) =>
      piece.is === 'text' ? (
        piece.text
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes.
        <a key={index} href={piece.href} target="_blank" rel="noopener noreferrer">
          {piece.text}
        </a>
      ),
    )}
  </p>
))
