import type { PaperworkKind } from '../agreements/paperwork/rules.ts'
import type { DealerStepName } from '../deals/rules.ts'
import type { DeskList } from './dealer-desk.ts'

export const deskTexts = {
  title: 'Built-in dealer desk',
  lead: (dealer: string) =>
    `Stands in for a dealer’s own system until one is set up. Deals for ${dealer} come here once both sides have signed.`,
  standsIn: 'Stands in for a dealer’s own system until one is set up.',
  toAdministrator: 'Administrator',
  toDesk: 'All deals',
  off: {
    title: 'Nothing to do here',
    text: (dealer: string) => `Deals go to ${dealer}’s own system, and ${dealer} answers them from there.`,
  },
  failed: 'The desk could not be loaded. Please try again.',
  lists: {
    waiting: { title: 'Waiting', empty: 'No deals are waiting for an answer.' },
    done: { title: 'Done', empty: 'No deals are done yet.' },
  } satisfies Record<DeskList, { title: string; empty: string }>,
  columns: {
    car: 'Car',
    vin: 'VIN',
    age: 'Here for',
    received: 'Arrived',
    step: 'Last answer',
    action: 'Deal',
  },
  open: 'Open',
  openOf: (car: string) => `Open ${car}`,
  noAnswer: 'None yet',
  notFound: 'This deal is not at this desk.',
  next: 'What next?',
  over: 'There is nothing more to report on this deal.',
  paused: 'This deal is paused. You can report the next step when it resumes.',
  told: 'Both sides see it on their deal page, in the bell and by email.',
  answers: 'Your updates',
  noAnswers: 'Nothing yet. Both sides are waiting to hear from you.',
  arrived: 'Arrived',
  papers: 'Papers',
  deal: 'Deal',
  agreement: 'Signed agreement',
  agreementWhat: 'The agreement exactly as both sides signed it.',
  /** Replaces texts that address one of the parties. */
  paperWhat: {
    release: 'What the seller tells their state once the car is gone.',
    appointment: 'A list for the day, for both sides.',
  } as Partial<Record<PaperworkKind, string>>,
  fields: {
    document: 'What is missing?',
    place: 'Place',
    time: 'Date and time',
    timeHint: 'Local time at that place.',
    noTime: 'Please enter a date and a time.',
    reason: 'Reason',
  },
  said: {
    accepted: 'Accepted the deal',
    needsDocument: 'Asked for a document',
    appointment: 'Made an appointment',
    paidSeller: 'Paid the seller',
    titleReceived: 'Received the title',
    complete: 'Completed the sale',
    cancelled: 'Called off the sale',
  } satisfies Record<DealerStepName, string>,
  steps: {
    accepted: { name: 'Accept the deal', tells: 'Both sides are told that you have accepted their deal.' },
    needsDocument: {
      name: 'Ask for a document',
      tells: 'Both sides are told what is missing, in your words.',
    },
    appointment: { name: 'Make an appointment', tells: 'Both sides are told when and where to come.' },
    paidSeller: { name: 'Seller is paid', tells: 'Both sides are told that the seller has been paid.' },
    titleReceived: { name: 'Title received', tells: 'Both sides are told that you have the title.' },
    complete: {
      name: 'Complete the sale',
      tells: 'Both sides are told that the sale is done. Every other request for this car ends.',
    },
    cancelled: {
      name: 'Call off the sale',
      tells: 'Both sides are told why. The car is available to other buyers again.',
    },
  } satisfies Record<DealerStepName, { name: string; tells: string }>,
} as const
