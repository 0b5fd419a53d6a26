import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { sql } from 'drizzle-orm'
import {
  carTitle,
  type DataSection,
  defineDataSection,
  toMoment,
} from '../../platform/personal-data/data-section.ts'

type Message = {
  id: number
  is_own: boolean
  first_name: string
  last_name: string
  year: number
  make: string
  model: string
  text: string | null
  sent_at: string
}
const messages = defineDataSection<Message>({
  name: 'messages',
  title: 'Messages in your deals',
  tables: ['deal_messages'],
  select: ({ personId }) => sql`select deal_messages.number as id, sender_id = ${personId} as is_own,
    sender.first_name, sender.last_name, year, make, model, text, sent_at
    from deals join deal_messages on deal_messages.deal_id = deals.id join cars on cars.id = deals.car_id
    join users sender on sender.id = deal_messages.sender_id
    where deals.buyer_id = ${personId} or deals.seller_id = ${personId} and deals.requested_at is not null`,
  toRow: (row) => ({
    car: carTitle(row),
    from: row.is_own ? 'You' : fullName({ firstName: row.first_name, lastName: row.last_name }),
    at: toMoment(row.sent_at),
    text: row.text,
  }),
})

type Report = { id: string; text: string | null; reason: string | null; reported_at: string }
const reports = defineDataSection<Report>({
  name: 'reportedMessages',
  title: 'Messages that you reported',
  tables: ['message_reports'],
  select: ({ personId }) => sql`select message_id as id, text, reason, reported_at
    from message_reports join deal_messages on deal_messages.id = message_id where reporter_id = ${personId}`,
  toRow: (row) => ({ message: row.text, reason: row.reason, at: toMoment(row.reported_at) }),
})

export const messageData: readonly DataSection[] = [messages, reports]
