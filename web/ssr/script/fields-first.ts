// A step of its own in `forms.ts`: the fields that all forms are checked by.
import '../../api/no-eval.ts'
import '@keyturn/contract/shared/fields.ts'
