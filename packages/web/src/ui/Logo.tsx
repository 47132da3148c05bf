/** The Lectern logo, an open book on a stand; the same drawing as `favicon.svg`. */
export function Logo({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M16 9.6C13.3 7.7 9.8 7.1 6.2 7.6v8.6c3.6-.5 7.1.1 9.8 2 2.7-1.9 6.2-2.5 9.8-2V7.6c-3.6-.5-7.1.1-9.8 2z"
        fill="var(--accent-ink)"
      />
      <path d="M16 10v8" stroke="var(--accent)" strokeWidth="1.6" />
      <path
        d="M16 19.6v5.2M11.2 25.4h9.6"
        fill="none"
        stroke="var(--accent-ink)"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
    </svg>
  )
}
