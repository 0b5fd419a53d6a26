import { LinkButton } from '../../../components/navigation/link.tsx'

type OpenPersonProps = { id: string; label: string; children: string }

/** Opens the page where an administrator can suspend this person. */
export const OpenPerson = ({ id, label, children }: OpenPersonProps) => (
  <LinkButton to="/dev" search={{ person: id }} variant="default" aria-label={label}>
    {children}
  </LinkButton>
)
