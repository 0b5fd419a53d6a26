import { useSearch } from '@tanstack/react-router'
import { LinkButton } from '../../../components/navigation/link.tsx'

type OpenPersonProps = { id: string; label: string; children: string }

/** Opens the page where an administrator can suspend this person. */
export function OpenPerson({ id, label, children }: OpenPersonProps) {
  const { tab } = useSearch({ from: '/dev' })
  return (
    <LinkButton to="/dev" search={{ tab, person: id }} state={true} variant="default" aria-label={label}>
      {children}
    </LinkButton>
  )
}
