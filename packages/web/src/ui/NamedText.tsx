import styles from './NamedText.module.css'

interface Props {
  /** The text with the given name in it. */
  text: (name: string) => string
  name: string
  className?: string | undefined
  /** The words may take several lines. */
  wraps?: boolean
}

/** Stands for the name in the text; no text contains it. */
const MARK = '\u{F8FF}'

/** A line with a name. If it is too long, the name is shortened, and the words around it remain. */
export function NamedText({ text, name, className, wraps = false }: Props) {
  const [before = '', after = ''] = text(MARK).split(MARK)
  const line = wraps ? styles.lines : styles.line
  return (
    <span className={className ? `${line} ${className}` : line}>
      {before && <span className={styles.words}>{before}</span>}
      <bdi className={styles.name} title={name}>
        {name}
      </bdi>
      {after && <span className={styles.words}>{after}</span>}
    </span>
  )
}
