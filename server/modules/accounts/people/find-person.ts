import type { Person } from '@keyturn/contract/accounts/endpoints.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { findUser } from './user-repository.ts'

export async function findPerson(db: Db, id: string): Promise<Person | null> {
  const [user] = await findUser(db, { id })
  if (!user?.email) return null
  const { firstName, lastName, phoneNumber } = user
  return { _id: user.id, firstName, lastName, email: user.email, phoneNumber }
}
