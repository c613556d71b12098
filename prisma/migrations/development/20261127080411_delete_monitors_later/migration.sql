-- AlterTable
ALTER TABLE "monitors" ADD COLUMN     "deletes_at" TIMESTAMPTZ(3),
ADD COLUMN     "resumes_on_undo" BOOLEAN NOT NULL DEFAULT false;
