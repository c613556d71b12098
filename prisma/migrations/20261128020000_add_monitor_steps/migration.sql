-- CreateTable
CREATE TABLE "monitor_steps" (
    "monitor_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "steps" JSONB NOT NULL,

    CONSTRAINT "monitor_steps_pkey" PRIMARY KEY ("monitor_id")
);

-- AddForeignKey
ALTER TABLE "monitor_steps" ADD CONSTRAINT "monitor_steps_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE CASCADE;
